/** The browser writes what is at the address to the disk as it comes: such a file may not fit into the page. */
export function download(address: string, fileName = ''): void {
  const link = document.createElement('a')
  link.href = address
  link.download = fileName
  link.click()
}
