/** An id for a new row, so that sending it again adds no second one. Not `randomUUID`: a page over plain HTTP has none. */
export function makeRowId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  const text = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  return text.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, '$1-$2-4$3-a$4-$5')
}
