/** Reads values of untrusted records: in the type that the reader expects, or undefined. */
import type { JsonRecord } from './shapes.ts'

/** The first field that is present. Exports of the same system spell field names in several ways. */
export function first(record: JsonRecord, ...names: readonly string[]): unknown {
  for (const name of names) if (record[name] != null) return record[name]
  return undefined
}

export const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : typeof value === 'number' ? String(value) : undefined

export function numberOf(value: unknown): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined
}

export const isRecord = (value: unknown): value is JsonRecord =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** An object, or the JSON text of one. */
export function recordOf(value: unknown): JsonRecord | undefined {
  const parsed = parsedJson(value)
  return isRecord(parsed) ? parsed : undefined
}

/** A list, or the JSON text of one. */
export function listOf(value: unknown): readonly unknown[] {
  const parsed = parsedJson(value)
  return Array.isArray(parsed) ? parsed : []
}

export const recordsOf = (value: unknown): JsonRecord[] => listOf(value).filter(isRecord)

/** Parses a text if it is a JSON object or list; returns anything else unchanged. */
export function parsedJson(value: unknown): unknown {
  if (typeof value !== 'string' || !/^\s*[[{"]/.test(value)) return value
  try {
    return JSON.parse(value)
  } catch {
    return value
  }
}

/** Converts a value for input and output: text, object, list or null. */
export function contentOf(value: unknown): string | JsonRecord | unknown[] | undefined {
  const parsed = parsedJson(value)
  if (parsed == null) return undefined
  return typeof parsed === 'string' || Array.isArray(parsed) || isRecord(parsed) ? parsed : String(parsed)
}

/** An instant as the service accepts it. Databases write a space instead of the T, and mean UTC. */
export function instantOf(value: unknown): string | number | undefined {
  if (typeof value === 'number') return value > 0 && Number.isFinite(value) ? value : undefined
  if (value instanceof Date) return value.toISOString()
  if (typeof value !== 'string' || value === '') return undefined
  const [, date, time, offset = 'Z'] =
    /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?) ?(Z|UTC|[+-]\d\d:?\d\d)?$/.exec(value.trim()) ?? []
  if (date === undefined) return undefined
  const instant = `${date}T${time}${offset === 'UTC' ? 'Z' : offset.replace(/^([+-]\d\d)(\d\d)$/, '$1:$2')}`
  return Number.isNaN(Date.parse(instant)) ? undefined : instant
}

/** The fields that are not empty and not mapped to other fields. */
export function unmappedFields(record: JsonRecord, mappedFields: readonly string[]): JsonRecord | undefined {
  const unmapped = Object.entries(record).filter(
    ([name, value]) => !mappedFields.includes(name) && !isEmpty(value),
  )
  return unmapped.length === 0 ? undefined : Object.fromEntries(unmapped)
}

const isEmpty = (value: unknown): boolean =>
  value == null ||
  value === '' ||
  (typeof value === 'object' && !(value instanceof Date) && Object.keys(value).length === 0)

/** The fields that are not undefined. */
export const withoutUndefined = <Fields extends object>(
  fields: Fields,
): { [Name in keyof Fields]: Exclude<Fields[Name], undefined> } =>
  // Safe: it only removes undefined fields.
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never

export { slugOfName as slugOf } from '@plumbline/contract/langfuse-prompts'

/** The values of a row: one for each field of the input, or the whole input as one value, since rows must not be empty. */
export const valuesOf = (input: unknown): JsonRecord =>
  isRecord(input) && Object.keys(input).length > 0 ? input : { input: input ?? null }

/** An expected output as text, or as JSON. */
export function idealOf(value: unknown): string | undefined {
  if (value == null) return undefined
  return typeof value === 'string' ? value : JSON.stringify(value)
}
