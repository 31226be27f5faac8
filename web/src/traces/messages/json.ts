/** Access to JSON of unknown shape. Pure. */

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A field of an object; undefined for other values. */
export const field = (value: unknown, name: string): unknown =>
  isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined

/** A text field of an object. */
export function textAt(value: unknown, name: string): string | undefined {
  const child = field(value, name)
  return typeof child === 'string' ? child : undefined
}

/** Longer texts are not parsed as JSON, which would block the page. */
const jsonMax = 2_000_000

/** The object or array that a JSON text contains; otherwise the value itself. */
export function parsedJson(value: unknown): unknown {
  if (typeof value !== 'string' || value.length > jsonMax || !/^\s*[[{]/.test(value)) return value
  try {
    return JSON.parse(value)
  } catch {
    return value
  }
}
