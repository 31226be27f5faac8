/**
 * Copies a text; rejects if the browser blocks copying. A page over plain HTTP has no `navigator.clipboard`, and
 * copies a selection instead.
 */
export async function copyText(text: string): Promise<void> {
  if (navigator.clipboard !== undefined) return navigator.clipboard.writeText(text)
  const area = document.createElement('textarea')
  area.value = text
  area.readOnly = true
  area.className = 'fixed top-0 opacity-0'
  // Inside an open dialog, which traps the focus.
  const place = document.activeElement?.closest('dialog, [role=dialog]') ?? document.body
  const focused = document.activeElement
  place.append(area)
  area.select()
  const isCopied = document.execCommand('copy')
  area.remove()
  if (focused instanceof HTMLElement) focused.focus()
  if (!isCopied) throw new Error('The browser blocked copying. Select the text and copy it yourself.')
}
