/** Maps the fields of a file to the parts of a row, and makes the rows. Pure. */
import { parseExactJson } from '@plumbline/sdk/import'
import type { NewRow } from '../grid/fields.ts'
import type { Column } from '../grid/row-types.ts'
import type { FileContent, FileRecord } from './record.ts'

/** `column:NAME` is an existing column; a new column has the name of the field. */
export type Target =
  | 'skip'
  | 'newColumn'
  | 'idealOutput'
  | 'name'
  | 'metadata'
  | 'split'
  | 'labels'
  | `column:${string}`

/** Target by field of the file. */
export type Mapping = ReadonlyMap<string, Target>

/** The names of all fields, in order of appearance. */
export function fieldNames({ records }: FileContent): readonly string[] {
  const names = new Set<string>()
  for (const record of records)
    if ('fields' in record) for (const name of Object.keys(record.fields)) names.add(name)
  return [...names]
}

const targetNames: Readonly<Record<string, Target>> = {
  idealoutput: 'idealOutput',
  expected: 'idealOutput',
  expectedoutput: 'idealOutput',
  reference: 'idealOutput',
  answer: 'idealOutput',
  target: 'idealOutput',
  name: 'name',
  metadata: 'metadata',
  split: 'split',
  labels: 'labels',
}

const plainName = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')

/**
 * The name of a field decides its target. If no field matches a column, as in a new dataset, every other field
 * becomes a column.
 */
export function suggestMapping(fields: readonly string[], columns: readonly Column[]): Mapping {
  const usedTargets = new Set<Target>()
  const columnOf = (field: string): Column | undefined =>
    columns.find(({ name }) => name === field) ??
    columns.find(({ name }) => plainName(name) === plainName(field))
  const other = fields.some((field) => columnOf(field) !== undefined) ? 'skip' : 'newColumn'
  return new Map(
    fields.map((field): [string, Target] => {
      const column = columnOf(field)
      const preferred =
        column === undefined ? (targetNames[plainName(field)] ?? other) : (`column:${column.name}` as const)
      const target = usedTargets.has(preferred) && preferred !== 'newColumn' ? 'skip' : preferred
      if (target !== 'skip') usedTargets.add(target)
      return [field, target]
    }),
  )
}

/** The mapping with one field changed; a target for a single field is taken from the other field. */
export function mapField(mapping: Mapping, field: string, target: Target): Mapping {
  const isShared = target === 'skip' || target === 'newColumn' || target === 'metadata'
  return new Map(
    [...mapping].map(([other, current]) => {
      if (other === field) return [other, target]
      return [other, !isShared && current === target ? 'skip' : current]
    }),
  )
}

/** The dataset's columns after the import; a new one is JSON if its values are not texts. */
export function columnsAfter(
  columns: readonly Column[],
  mapping: Mapping,
  content: FileContent,
): readonly Column[] {
  const fresh = [...mapping].flatMap(([field, target]) => (target === 'newColumn' ? [field] : []))
  return [
    ...columns,
    ...fresh
      .filter((field) => !columns.some(({ name }) => name === field))
      .map((name) => ({ name, type: holdsTexts(content, name) ? ('text' as const) : ('json' as const) })),
  ]
}

/** Missing and null values are omitted. */
const holdsTexts = ({ records }: FileContent, field: string): boolean =>
  records.every((record) => !('fields' in record) || typeof (record.fields[field] ?? '') === 'string')

export type RowResult = { readonly row: NewRow } | { readonly problem: string }

/** The row of a record, or why there is none: a sentence that continues "Row 7". */
function rowOf(record: FileRecord, mapping: Mapping, columns: readonly Column[], isText: boolean): RowResult {
  if ('problem' in record) return record
  const values = new Map<string, unknown>()
  const metadata: Record<string, unknown> = {}
  const row: { name?: string; idealOutput?: string; split?: string; labels?: string[] } = {}
  for (const [field, value] of Object.entries(record.fields)) {
    const target = mapping.get(field) ?? 'skip'
    if (target === 'skip' || value === undefined || value === null) continue
    if (target === 'name' || target === 'idealOutput') row[target] = asText(value)
    else if (target === 'split' || target === 'labels') {
      const labels = target === 'split' ? [asText(value)] : labelsOf(value)
      if (!labels.every(isLabel))
        return { problem: `"${field}" is not a ${target === 'split' ? 'split' : 'list of labels'}` }
      if (target === 'labels') row.labels = [...labels]
      else if (labels[0] !== '') row.split = labels[0]!
    } else if (target === 'metadata') {
      const read = isText ? looseJson(value) : value
      if (isText && field === 'metadata' && value === '') continue
      if (!isObject(read)) metadata[field] = read
      else if (field === 'metadata') Object.assign(metadata, read)
      else metadata[field] = read
    } else {
      const name = target === 'newColumn' ? field : target.slice('column:'.length)
      const type = columns.find((column) => column.name === name)?.type ?? 'text'
      if ((type === 'image' || type === 'file') && typeof value !== 'string')
        return { problem: `"${name}" must be a file key` }
      // Programs that quote every cell write `""` for an empty one.
      if (type === 'json' && isText && value === '') continue
      if (type !== 'json' || !isText || typeof value !== 'string') values.set(name, value)
      else {
        const read = strictJson(value)
        if ('problem' in read) return { problem: `"${name}" is not valid JSON: ${shorten(value)}` }
        values.set(name, read.value)
      }
    }
  }
  if (values.size === 0) return { problem: 'has no values' }
  return {
    row: {
      values: Object.fromEntries(values),
      ...row,
      ...(Object.keys(metadata).length > 0 && { metadata }),
    },
  }
}

/** As the service accepts them. */
const isLabel = (text: string): boolean => text.length <= 64 && !/[",\\\n\r\t]|^\s|\s$/.test(text)

/** In a cell they are separated by commas. */
const labelsOf = (value: unknown): readonly string[] =>
  Array.isArray(value)
    ? value.map(asText)
    : asText(value)
        .split(',')
        .map((label) => label.trim())
        .filter((label) => label !== '')

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const asText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

const shorten = (text: string): string => (text.length > 60 ? `${text.slice(0, 60)}…` : text)

function strictJson(text: string): { readonly value: unknown } | { readonly problem: true } {
  try {
    return { value: parseExactJson(text) }
  } catch {
    return { problem: true }
  }
}

/** A cell with a JSON object becomes an object; other texts stay texts. */
function looseJson(value: unknown): unknown {
  if (typeof value !== 'string' || !/^\s*[{[]/.test(value)) return value
  const read = strictJson(value)
  return 'value' in read ? read.value : value
}

export interface CheckResult {
  readonly rows: readonly NewRow[]
  readonly problems: readonly { readonly row: number; readonly text: string }[]
}

/** All records of a file, checked before the first is written. */
export function checkRecords(
  content: FileContent,
  mapping: Mapping,
  columns: readonly Column[],
): CheckResult {
  const rows: NewRow[] = []
  const problems: { row: number; text: string }[] = []
  for (const [index, record] of content.records.entries()) {
    const newRow = rowOf(record, mapping, columns, content.isText)
    if ('row' in newRow) rows.push(newRow.row)
    else problems.push({ row: index + 1, text: newRow.problem })
  }
  return { rows, problems }
}
