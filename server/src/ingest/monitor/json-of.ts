/** Converts values to the form of the trace store. */

/** Cached JSON of values that several rows and comparisons use. */
const sharedJson = new WeakMap<object, string>()

/** JSON text of a value; null for null and undefined. */
export function jsonOf(value: unknown): string | null {
  if (value == null) return null
  return (typeof value === 'object' ? sharedJson.get(value) : undefined) ?? JSON.stringify(value)
}

/** As `jsonOf`, for a value that no longer changes: its JSON is cached. */
export function sharedJsonOf(value: object): string {
  const json = sharedJson.get(value) ?? JSON.stringify(value)
  sharedJson.set(value, json)
  return json
}

/** A non-empty text in the caller's metadata. */
export function textIn(
  metadata: Readonly<Record<string, unknown>> | null | undefined,
  key: string,
): string | null {
  const value = metadata?.[key]
  return typeof value === 'string' && value !== '' ? value : null
}
