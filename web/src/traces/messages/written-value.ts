import { parsedJson } from './json.ts'

/** A value of any shape as text, so that two can be compared line by line. */
export function writtenValue(value: unknown): string {
  const parsed = parsedJson(value)
  if (parsed === null || parsed === undefined) return ''
  return typeof parsed === 'string' ? parsed : JSON.stringify(parsed, null, 2)
}
