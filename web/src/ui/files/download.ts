/** Downloads a text created by the web app. */
export const downloadText = (fileName: string, text: string, type: string): void =>
  downloadBlob(fileName, new Blob([text], { type }))

/** Downloads foreign bytes without a type, so that no browser opens them in the service's origin. */
export const downloadBytes = (fileName: string, bytes: Uint8Array<ArrayBuffer>): void =>
  downloadBlob(fileName, new Blob([bytes], { type: 'application/octet-stream' }))

/** How long browsers, mainly Safari, may take after the press to read the file. */
const readMs = 60_000

export function downloadBlob(fileName: string, blob: Blob): void {
  const address = URL.createObjectURL(blob)
  const link = document.createElement('a')
  link.href = address
  link.download = fileName
  link.click()
  setTimeout(() => URL.revokeObjectURL(address), readMs)
}
