/**
 * An id for a new row, so that resending it does not add a second one. Not `randomUUID`, which is unavailable over
 * plain HTTP.
 */
export function makeRowId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  const text = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  return text.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, '$1-$2-4$3-a$4-$5')
}
