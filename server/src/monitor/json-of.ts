/** Values as the trace store keeps them. */

/** JSON text of a value; absent and null are both null here. */
export const jsonOf = (value: unknown): string | null => (value == null ? null : JSON.stringify(value))

/** A text of the caller's metadata, if it is one. */
export function textIn(
  metadata: Readonly<Record<string, unknown>> | null | undefined,
  key: string,
): string | null {
  const value = metadata?.[key]
  return typeof value === 'string' && value !== '' ? value : null
}
