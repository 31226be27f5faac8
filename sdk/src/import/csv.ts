/** CSV after RFC 4180, read in pieces. An empty cell without quotes is no value; `""` is an empty text. */
import { textOfCsvCell } from '@plumbline/contract/csv-cell'

export type Cell = string | undefined

export async function* readCsv(pieces: AsyncIterable<string>): AsyncGenerator<Cell[]> {
  let row: Cell[] = []
  let cell = ''
  let state: 'start' | 'bare' | 'quoted' | 'quote in quoted' = 'start'
  let isFirst = true
  const endCell = (): void => {
    row.push(cell === '' && state === 'start' ? undefined : textOfCsvCell(cell))
    cell = ''
    state = 'start'
  }
  for await (let piece of pieces) {
    // Spreadsheets begin their files with a byte order mark.
    if (isFirst && piece !== '') {
      piece = piece.replace(/^\ufeff/, '')
      isFirst = false
    }
    for (const character of piece) {
      if (state === 'quoted') {
        if (character === '"') state = 'quote in quoted'
        else cell += character
      } else if (state === 'quote in quoted' && character === '"') {
        cell += '"'
        state = 'quoted'
      } else if (character === ',') endCell()
      else if (character === '\n') {
        if (state === 'bare' && cell.endsWith('\r')) cell = cell.slice(0, -1)
        if (state === 'bare' && cell === '') state = 'start'
        endCell()
        if (row.length > 1 || row[0] !== undefined) yield row
        row = []
      } else if (character === '"' && state === 'start') state = 'quoted'
      else if (state !== 'quote in quoted') {
        cell += character
        state = 'bare'
      } else if (character !== '\r') throw new SyntaxError('a quoted cell goes on after its closing quote')
    }
  }
  if (state === 'quoted') throw new SyntaxError('the file ends within a quoted cell')
  if (state !== 'start' || row.length > 0) {
    endCell()
    yield row
  }
}
