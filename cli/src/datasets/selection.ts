/** Options that select the rows that a command reads: `--version`, `--split`, `--label` and `--search`. */
import { type Command, InvalidArgumentError } from 'commander'

export interface RowSelection {
  readonly version?: number
  readonly split?: string
  readonly label?: string
  readonly search?: string
}

export const withSelection = (command: Command): Command =>
  command
    .option('--version <number>', 'dataset version; the current rows by default', parseCount)
    .option('--split <split>', 'only rows in this split')
    .option('--label <label>', 'only rows with this label')
    .option('--search <text>', 'only rows that contain this text, ignoring case')

/** Only the selection, without unset options. */
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
