/** Which rows of a dataset a command reads: `--version`, `--split`, `--label` and `--search`. */
import { type Command, InvalidArgumentError } from 'commander'

export interface RowSelection {
  readonly version?: number
  readonly split?: string
  readonly label?: string
  readonly search?: string
}

export const withSelection = (command: Command): Command =>
  command
    .option('--version <number>', 'version of the dataset; as it is now by default', parseCount)
    .option('--split <split>', 'only rows in this split')
    .option('--label <label>', 'only rows with this label')
    .option('--search <text>', 'only rows in which this text occurs, in any case')

/** The selection alone, without what was not set. */
export const selectionOf = ({ version, split, label, search }: RowSelection) => ({
  ...(version === undefined ? {} : { version }),
  ...(split === undefined ? {} : { split }),
  ...(label === undefined ? {} : { label }),
  ...(search === undefined ? {} : { q: search }),
})

export function parseCount(text: string): number {
  const count = Number(text)
  if (!Number.isInteger(count) || count < 1)
    throw new InvalidArgumentError('It must be a whole number of at least 1.')
  return count
}
