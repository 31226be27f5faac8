/** Converts values to the form of the trace store. */

/** JSON of values that several rows and comparisons need. */
const sharedJson = new WeakMap<object, string>()

/** JSON text of a value; null for null and undefined. */
export function jsonOf(value: unknown): string | null {
  if (value == null) return null
  return (typeof value === 'object' ? sharedJson.get(value) : undefined) ?? JSON.stringify(value)
}

/** The same of a value that nothing changes from now on, so that further calls for it are free. */
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
