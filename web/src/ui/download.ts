/** The browser streams the file to the disk: it may not fit into memory. */
export function download(address: string, fileName = ''): void {
  const link = document.createElement('a')
  link.href = address
  link.download = fileName
  link.click()
}
