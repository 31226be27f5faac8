/** A text that the web app made itself. */
export const downloadText = (fileName: string, text: string, type: string): void =>
  downloadBlob(fileName, new Blob([text], { type }))

/** Bytes that somebody else wrote: of no type, so that no browser opens them in the name of the service. */
export const downloadBytes = (fileName: string, bytes: Uint8Array<ArrayBuffer>): void =>
  downloadBlob(fileName, new Blob([bytes], { type: 'application/octet-stream' }))

/** How long browsers, Safari above all, may take after the press until they have read what they save. */
const readMs = 60_000

export function downloadBlob(fileName: string, blob: Blob): void {
  const address = URL.createObjectURL(blob)
  const link = document.createElement('a')
  link.href = address
  link.download = fileName
  link.click()
  setTimeout(() => URL.revokeObjectURL(address), readMs)
}
