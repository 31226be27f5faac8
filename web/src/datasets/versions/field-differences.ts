/** The fields in which a row differs between two versions. Pure. */
import type { Output } from '../../app/api.ts'
import type { StoredRow } from '../grid/row-types.ts'

type Difference = Output<'datasetVersions.compare'>['rows'][number]

export interface FieldDifference {
  readonly name: string
  /** Empty if there was none. */
  readonly before: string
  readonly after: string
}

const shownMax = 300

/** Every field of a row that was added or removed, and the differing ones of a row that was changed. */
export function fieldDifferences({ before, after }: Pick<Difference, 'before' | 'after'>): FieldDifference[] {
  const [old, current] = [textsOf(before), textsOf(after)]
  return [...new Set([...old.keys(), ...current.keys()])]
    .map((name) => ({ name, before: old.get(name) ?? '', after: current.get(name) ?? '' }))
    .filter((field) => field.before !== field.after)
    .map((field) => ({ ...field, before: shorten(field.before), after: shorten(field.after) }))
}

function textsOf(row: StoredRow | undefined): ReadonlyMap<string, string> {
  if (row === undefined) return new Map()
  const fields: readonly (readonly [string, unknown])[] = [
    ...Object.entries(row.values),
    ['Ideal output', row.idealOutput],
    ['Name', row.name],
    ['Metadata', row.metadata],
    ['Split', row.split],
    ['Labels', row.labels?.join(', ')],
  ]
  return new Map(fields.map(([name, value]) => [name, textOf(value)]))
}

const textOf = (value: unknown): string =>
  value == null ? '' : typeof value === 'string' ? value : JSON.stringify(value)

const shorten = (text: string): string => (text.length > shownMax ? `${text.slice(0, shownMax)}…` : text)
