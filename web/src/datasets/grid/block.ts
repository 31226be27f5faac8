/** Blocks of cells as spreadsheets put them on the clipboard: tabs between cells, lines between rows. Pure. */

export type Block = readonly (readonly string[])[]

/** Cells with a tab, a line break or a quote come in quotes. What is not well formed is taken as it stands. */
export function readBlock(text: string): Block {
  const rows: string[][] = []
  let row: string[] = []
  let at = 0
  const source = text.replace(/\r\n?/g, '\n').replace(/\n$/, '')
  while (at <= source.length) {
    const quoted = source[at] === '"' ? /^"((?:[^"]|"")*)"(?=[\t\n]|$)/.exec(source.slice(at)) : null
    const end = quoted === null ? endOfCell(source, at) : at + quoted[0].length
    row.push(quoted === null ? source.slice(at, end) : (quoted[1] ?? '').replaceAll('""', '"'))
    if (source[end] !== '\t') {
      rows.push(row)
      row = []
    }
    at = end + 1
  }
  return rows
}

function endOfCell(text: string, from: number): number {
  const found = /[\t\n]/g
  found.lastIndex = from
  return found.exec(text)?.index ?? text.length
}

export const writeBlock = (block: Block): string =>
  block
    .map((row) =>
      row.map((cell) => (/[\t\n\r]|^"/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join('\t'),
    )
    .join('\n')
