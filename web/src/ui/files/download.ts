/** The browser streams the file to the disk: it may not fit into memory. */
export function download(address: string, fileName = ''): void {
  const link = document.createElement('a')
  link.href = address
  link.download = fileName
  link.click()
}

/** A text that the web app made itself. */
export function downloadText(fileName: string, text: string, type: string): void {
  const address = URL.createObjectURL(new Blob([text], { type }))
  download(address, fileName)
  URL.revokeObjectURL(address)
}
