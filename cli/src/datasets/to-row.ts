/** Converts a record of a file to a row of the dataset. */
import type { Plumbline } from '@plumbline/sdk'
import { parseExactJson } from '@plumbline/sdk/import'

type NewRow = Omit<Parameters<Plumbline['datasets']['add']>[0], 'slug'>

/** Maps the parts of a row to file fields; a part without a mapping uses the field of the same name. */
export interface Mapping {
  readonly columns: readonly { readonly name: string; readonly type: string }[]
  /** File field by column. */
  readonly from: ReadonlyMap<string, string>
  readonly ideal?: string
  readonly name?: string
}

/** Why a row cannot be imported; the message follows "Row 7:". */
export class RowProblem extends Error {
  override readonly name = 'RowProblem'
}

/** `texts`: the fields are cells of a table, and texts of a JSON column are read as JSON. */
export function toRow(
  record: unknown,
  mapping: Mapping,
  kind: 'texts' | 'values',
  unknownColumns: Set<string>,
): NewRow | RowProblem {
  if (record instanceof RowProblem) return record
  if (!isObject(record)) return new RowProblem('is not an object')
  // Exported rows nest their values one level down.
  const { values: inner, ...outer } = record
  const isColumn = (field: string): boolean => mapping.columns.some(({ name }) => name === field)
  const isNested =
    kind === 'values' &&
    isObject(inner) &&
    (!isColumn('values') ||
      (Object.keys(outer).every((field) => rowParts.has(field)) && Object.keys(inner).every(isColumn)))
  const nested: Record<string, unknown> = isNested ? inner : {}
  const flat: Record<string, unknown> = isNested ? outer : record
  const usedFields = new Set<string>()
  const readColumn = (field: string, type: string): unknown => {
    usedFields.add(field)
    const value = Object.hasOwn(nested, field) ? nested[field] : ownValue(flat, field)
    return isNested && type === 'json' ? value : (value ?? undefined)
  }
  // A field of an exported row with the name of a column belongs to the column.
  const readField = (field: string, isMapped = false): unknown => {
    usedFields.add(field)
    const isInside = isNested && (isMapped || !isColumn(field))
    return ownValue(flat, field) ?? (isInside ? ownValue(nested, field) : undefined) ?? undefined
  }
  try {
    const values = new Map<string, unknown>()
    for (const { name, type } of mapping.columns) {
      const value = readColumn(mapping.from.get(name) ?? name, type)
      // Programs that quote every cell write `""` for no value, which is not valid JSON.
      if (kind === 'texts' && type === 'json' && value === '') continue
      if (value !== undefined)
        values.set(
          name,
          kind === 'texts' && type === 'json' && typeof value === 'string' ? readJson(name, value) : value,
        )
      if ((type === 'image' || type === 'file') && value !== undefined && typeof value !== 'string')
        return new RowProblem(`"${name}" must be a file key`)
    }
    if (values.size === 0) return new RowProblem('has no value for any column')
    const idealOutput = asText(readField(mapping.ideal ?? 'idealOutput', mapping.ideal !== undefined))
    const name = asText(readField(mapping.name ?? 'name', mapping.name !== undefined))
    const metadataField = readField('metadata')
    const rawMetadata = kind === 'texts' && metadataField === '' ? undefined : metadataField
    const metadata = typeof rawMetadata === 'string' ? readJson('metadata', rawMetadata) : rawMetadata
    if (metadata !== undefined && !isObject(metadata)) return new RowProblem('"metadata" must be an object')
    // In a flat row, a column with this name takes the field.
    const readPart = (part: 'split' | 'labels'): unknown => {
      if (!isNested) return isColumn(part) ? undefined : readField(part)
      usedFields.add(part)
      return outer[part] ?? undefined
    }
    const split = readPart('split')
    const labels = readLabels(readPart('labels'), kind)
    if (split !== undefined && !isLabel(split)) return new RowProblem(`"split" ${labelRule}`)
    if (labels !== undefined && (!Array.isArray(labels) || !labels.every(isLabel)))
      return new RowProblem(`each of "labels" ${labelRule}`)
    for (const field of [...Object.keys(flat), ...Object.keys(nested)])
      if (!usedFields.has(field)) unknownColumns.add(field)
    return {
      values: Object.fromEntries(values),
      ...(idealOutput === undefined ? {} : { idealOutput }),
      ...(name === undefined ? {} : { name }),
      ...(metadata === undefined ? {} : { metadata }),
      ...(split === undefined ? {} : { split }),
      ...(labels === undefined || labels.length === 0 ? {} : { labels }),
    }
  } catch (error) {
    if (error instanceof RowProblem) return error
    throw error
  }
}

/** The fields of an exported row other than its values. */
const rowParts: ReadonlySet<string> = new Set([
  'id',
  'name',
  'idealOutput',
  'metadata',
  'split',
  'labels',
  'problems',
])

const ownValue = (fields: Readonly<Record<string, unknown>>, field: string): unknown =>
  Object.hasOwn(fields, field) ? fields[field] : undefined

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The service's rules: the whole file is validated before the first row is sent. */
const isLabel = (value: unknown): value is string =>
  typeof value === 'string' && value.length <= 64 && /^[^",\\\s]([^",\\\n\r\t]*[^",\\\s])?$/.test(value)

const labelRule = 'must be a text of up to 64 characters, without quotation marks, commas and backslashes'

/** In a cell, labels are separated by commas. */
const readLabels = (labels: unknown, kind: 'texts' | 'values'): unknown =>
  kind === 'texts' && typeof labels === 'string'
    ? labels
        .split(',')
        .map((label) => label.trim())
        .filter((label) => label !== '')
    : labels

const asText = (value: unknown): string | undefined =>
  value === undefined || typeof value === 'string' ? value : JSON.stringify(value)

function readJson(name: string, text: unknown): unknown {
  try {
    return parseExactJson(String(text))
  } catch {
    throw new RowProblem(`"${name}" is not valid JSON`)
  }
}
