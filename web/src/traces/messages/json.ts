/** How JSON of unknown shape is looked into. Pure. */

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** What an object has under a name; undefined for everything else. */
export const field = (value: unknown, name: string): unknown =>
  isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined

/** The text that an object has under a name. */
export function textAt(value: unknown, name: string): string | undefined {
  const child = field(value, name)
  return typeof child === 'string' ? child : undefined
}

/** Texts longer than this are not taken for JSON: reading them would hold up the page. */
const jsonMax = 2_000_000

/** The object or array that a text writes; otherwise the value itself. */
export function parsedJson(value: unknown): unknown {
  if (typeof value !== 'string' || value.length > jsonMax || !/^\s*[[{]/.test(value)) return value
  try {
    return JSON.parse(value)
  } catch {
    return value
  }
}
