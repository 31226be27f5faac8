/** Converts values to the form of the trace store. */

/** JSON text of a value; null for null and undefined. */
export const jsonOf = (value: unknown): string | null => (value == null ? null : JSON.stringify(value))

/** A non-empty text in the caller's metadata. */
export function textIn(
  metadata: Readonly<Record<string, unknown>> | null | undefined,
  key: string,
): string | null {
  const value = metadata?.[key]
  return typeof value === 'string' && value !== '' ? value : null
}
