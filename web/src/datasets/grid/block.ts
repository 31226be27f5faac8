/** Blocks of cells in the clipboard format of spreadsheets: tabs between cells, line breaks between rows. Pure. */

export type Block = readonly (readonly string[])[]

/** Cells with a tab, a line break or a quote are quoted. Malformed text is taken literally. */
export function readBlock(text: string): Block {
  const rows: string[][] = []
  let row: string[] = []
  let position = 0
  const source = text.replace(/\r\n?/g, '\n').replace(/\n$/, '')
  while (position <= source.length) {
    const quoted =
      source[position] === '"' ? /^"((?:[^"]|"")*)"(?=[\t\n]|$)/.exec(source.slice(position)) : null
    const end = quoted === null ? endOfCell(source, position) : position + quoted[0].length
    row.push(quoted === null ? source.slice(position, end) : (quoted[1] ?? '').replaceAll('""', '"'))
    if (source[end] !== '\t') {
      rows.push(row)
      row = []
    }
    position = end + 1
  }
  return rows
}

function endOfCell(text: string, start: number): number {
  const separators = /[\t\n]/g
  separators.lastIndex = start
  return separators.exec(text)?.index ?? text.length
}

export const writeBlock = (block: Block): string =>
  block
    .map((row) =>
      row.map((cell) => (/[\t\n\r]|^"/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join('\t'),
    )
    .join('\n')
