/**
 * CSV after RFC 4180, read in pieces, with the separator that its header has. An empty cell without quotes is no value;
 * `""` is an empty text.
 */
import { textOfCsvCell } from '@plumbline/contract/csv-cell'

export type Cell = string | undefined

/** Spreadsheets write semicolons where the comma is the decimal mark. The first one counts where two are as frequent. */
const separators = [',', ';', '\t'] as const

/**
 * The names of a table's columns, by its header. Two columns of one name would be one field of a row, so that is a
 * `SyntaxError`; those without a name are called by their place where there are several.
 */
export function titlesOf(header: readonly Cell[]): readonly string[] {
  const isUnnamed = (cell: Cell): boolean => cell === undefined || cell === ''
  const areUnnamedMany = header.filter(isUnnamed).length > 1
  const titles = header.map((cell, index) =>
    areUnnamedMany && isUnnamed(cell) ? `Column ${index + 1}` : (cell ?? ''),
  )
  const repeated = new Set(titles.filter((title, index) => titles.indexOf(title) !== index))
  if (repeated.size > 0) {
    const names = new Intl.ListFormat('en').format([...repeated].map((title) => `"${title}"`))
    throw new SyntaxError(`the header has ${names} more than once`)
  }
  return titles
}

/** Finds the most frequent separator of a header outside its quotes. */
function makeSeparatorSearch() {
  const counts = new Map<string, number>(separators.map((separator) => [separator, 0]))
  let state: 'start' | 'bare' | 'quoted' | 'quote in quoted' = 'start'
  let isBlank = true
  const separator = (): string =>
    separators.reduce((best, each) => (counts.get(each)! > counts.get(best)! ? each : best), separators[0])
  return {
    separator,
    /** Reads on, and says whether the header has ended. */
    read(piece: string): boolean {
      for (const character of piece) {
        if (state === 'quoted') {
          if (character === '"') state = 'quote in quoted'
        } else if (character === '\n') {
          if (!isBlank) return true
          state = 'start'
        } else if (counts.has(character)) {
          counts.set(character, counts.get(character)! + 1)
          state = 'start'
        } else if (character === '"' && state !== 'bare') state = 'quoted'
        else state = 'bare'
        if (!/[\r\n\ufeff]/.test(character)) isBlank = false
      }
      return false
    },
  }
}

/** The same text, in pieces of which the first has the whole header, and the separator of that. */
async function* withSeparator(pieces: AsyncIterable<string>): AsyncGenerator<readonly [string, string]> {
  const search = makeSeparatorSearch()
  const header: string[] = []
  let separator: string | undefined
  for await (const piece of pieces) {
    if (separator !== undefined) {
      yield [piece, separator]
      continue
    }
    header.push(piece)
    if (!search.read(piece)) continue
    separator = search.separator()
    yield [header.join(''), separator]
  }
  if (separator === undefined) yield [header.join(''), search.separator()]
}

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
  for await (let [piece, separator] of withSeparator(pieces)) {
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
      } else if (character === separator) endCell()
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
