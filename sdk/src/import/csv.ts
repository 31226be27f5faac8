/**
 * Reads CSV (RFC 4180) in pieces, with the separator and the line break of its header, or the separator declared for Excel in
 * a first line such as `sep=;`. An empty cell without quotes is no value; `""` is an empty text.
 */
import { textOfCsvCell } from '@plumbline/contract/csv-cell'

export type Cell = string | undefined

/** Spreadsheets write semicolons in locales whose decimal mark is the comma. If in doubt, the first one is used. */
const separators = [',', ';', '\t'] as const

/**
 * The column names of a table, from its header. Two columns with the same name would collide in a row, so that is a
 * `SyntaxError`. If there are several unnamed columns, they are named by position.
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

/** If the header has several separators, up to this many following records are examined, within a limit of length. */
const recordsMax = 20
const charactersMax = 4_000_000

/** The number of occurrences of each separator in a record, outside of quotes. */
type Counts = Map<string, number>

/** The separator and line break. Excel for Mac writes “CSV (Macintosh)” with carriage returns alone. */
interface Form {
  readonly separator: string
  readonly lineBreak: '\n' | '\r'
}

/**
 * Detects the form of a table. If its header has several separators, such as a comma within a name, the one whose count in
 * the header matches the most records is used, and then the most frequent one.
 */
function makeFormSearch() {
  const newCounts = (): Counts => new Map(separators.map((separator) => [separator, 0]))
  const records: Counts[] = []
  let counts = newCounts()
  let state: 'start' | 'bare' | 'quoted' | 'quote in quoted' = 'start'
  let isBlank = true
  let lineBreak: Form['lineBreak'] | undefined
  let isAfterReturn = false
  const isDecided = (): boolean => {
    const [header] = records
    if (header === undefined) return false
    return [...header.values()].filter((count) => count > 0).length < 2 || records.length > recordsMax
  }
  /** Returns whether the form is decided. */
  const endRecord = (): boolean => {
    lineBreak ??= '\n'
    records.push(counts)
    counts = newCounts()
    isBlank = true
    state = 'start'
    return isDecided()
  }
  return {
    /** Reads a piece, and returns whether the form is decided. */
    read(piece: string): boolean {
      for (const character of piece) {
        if (isAfterReturn && character !== '\n' && lineBreak === undefined && !isBlank) {
          lineBreak = '\r'
          if (endRecord()) return true
        }
        isAfterReturn = state !== 'quoted' && character === '\r'
        if (state === 'quoted') {
          if (character === '"') state = 'quote in quoted'
        } else if (character === (lineBreak ?? '\n')) {
          if (!isBlank && endRecord()) return true
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
    hasHeader: (): boolean => records.length > 0,
    /** `isWhole`: the table is complete, and its last record may lack a line break. */
    form(isWhole: boolean): Form {
      if (isWhole && !isBlank) records.push(counts)
      const [header = counts, ...others] = records
      const matches = (separator: string): number =>
        others.filter((record) => record.get(separator) === header.get(separator)).length
      const [best] = separators
        .filter((separator) => header.get(separator)! > 0)
        .sort((first, second) => matches(second) - matches(first) || header.get(second)! - header.get(first)!)
      return { separator: best ?? separators[0], lineBreak: lineBreak ?? '\n' }
    },
  }
}

/** Excel's declaration of the separator. */
const separatorLine = /^\ufeff?sep=([^\r\n"])(?:\r\n?|\n)/i

/** The text in pieces, the first of which contains the whole header, with the detected form. */
async function* withForm(pieces: AsyncIterable<string>): AsyncGenerator<readonly [string, Form]> {
  const search = makeFormSearch()
  let start: string[] = []
  let characters = 0
  let form: Form | undefined
  const choose = (isWhole: boolean): readonly [string, Form] => {
    const text = start.join('')
    const line = separatorLine.exec(text)
    const { separator, lineBreak } = search.form(isWhole)
    form = { separator: line?.[1] ?? separator, lineBreak }
    return [line === null ? text : text.slice(line[0].length), form]
  }
  for await (const piece of pieces) {
    if (form !== undefined) {
      yield [piece, form]
      continue
    }
    start.push(piece)
    characters += piece.length
    if (!search.read(piece) && !(characters > charactersMax && search.hasHeader())) continue
    yield choose(false)
    start = []
  }
  if (form === undefined) yield choose(true)
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
  for await (let [piece, { separator, lineBreak }] of withForm(pieces)) {
    // Spreadsheets start files with a byte order mark.
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
      else if (character === lineBreak) {
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
