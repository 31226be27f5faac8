/** Reads the loosely typed input of Langfuse's API; throws an `invalid_request` that names the field. */
import { invalid, ServiceError } from '@plumbline/contract'
import type { LangfuseInput } from './endpoint.ts'

export type JsonRecord = Readonly<Record<string, unknown>>

export const isRecord = (value: unknown): value is JsonRecord =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export function recordIn(body: unknown): JsonRecord {
  if (!isRecord(body)) throw invalid('', 'must be a JSON object')
  return body
}

export const textOrUndefined = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined

export function requiredText(record: JsonRecord, field: string): string {
  const text = textOrUndefined(record[field])
  if (text === undefined) throw invalid(field, 'must be a non-empty text')
  return text
}

export function optionalText(record: JsonRecord, field: string): string | undefined {
  const value = record[field]
  if (value === undefined || value === null) return undefined
  if (typeof value !== 'string') throw invalid(field, 'must be a text')
  return value
}

export function textsIn(record: JsonRecord, field: string): string[] {
  const value = record[field] ?? []
  if (!Array.isArray(value) || value.some((each) => typeof each !== 'string'))
    throw invalid(field, 'must be a list of texts')
  return value as string[]
}

/** The value of a query parameter; the first one if it was sent several times. */
export function queryText({ query }: LangfuseInput, name: string): string | undefined {
  const value = query[name]
  return textOrUndefined(Array.isArray(value) ? value[0] : value)
}

export function queryTexts({ query }: LangfuseInput, name: string): string[] {
  const value = query[name]
  return (Array.isArray(value) ? value : [value]).flatMap((each) => textOrUndefined(each) ?? [])
}

export function queryNumber(input: LangfuseInput, name: string): number | undefined {
  const text = queryText(input, name)
  if (text === undefined) return undefined
  const value = Number(text)
  if (!Number.isInteger(value) || value < 1) throw invalid(name, 'must be a whole number above 0')
  return value
}

/** Rejects Langfuse filters that are not supported: a list that ignored one would return items that it excludes. */
export function refuseFilters(input: LangfuseInput, names: readonly string[]): void {
  const name = names.find((each) => queryTexts(input, each).length > 0)
  if (name !== undefined)
    throw new ServiceError('not_supported', {
      problem: `Plumbline does not support the parameter \`${name}\` for this list of Langfuse's API.`,
    })
}
