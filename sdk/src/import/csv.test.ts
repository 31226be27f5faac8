import assert from 'node:assert/strict'
import { it } from 'node:test'
import fc from 'fast-check'
import { csvPieces } from '../../../server/src/table-files/csv.ts'
import { type Cell, readCsv, titlesOf } from './csv.ts'

async function* cutAnywhere(text: string, index: number): AsyncGenerator<string> {
  yield text.slice(0, index)
  yield text.slice(index)
}

it('CSV is read as the service writes it, in any pieces, including formulas', async () => {
  const cell = fc.option(
    fc.string({ unit: fc.constantFrom('a', '"', ',', ';', '\n', '\r', ' ', '=', '-', '1', "'", '\t') }),
    {
      nil: null,
    },
  )
  const columns = ['a', 'b', 'c'].map((name) => ({ name, type: 'text' }) as const)
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(fc.constant('x'), cell, cell)), fc.nat(), async (rows, cutIndex) => {
      async function* readRows() {
        yield* rows
      }
      const text = (await Array.fromAsync(csvPieces(columns, readRows()))).join('')
      const read: Cell[][] = await Array.fromAsync(readCsv(cutAnywhere(text, cutIndex % (text.length + 1))))
      assert.deepEqual(
        read.slice(1),
        rows.map((row) => row.map((value) => value ?? undefined)),
      )
    }),
  )
})

it('foreign tables may have a byte order mark, line feeds and empty cells', async () => {
  const read = await Array.fromAsync(readCsv(cutAnywhere('\ufeffa,b\n1,\n"",=2\n', 5)))
  assert.deepEqual(read, [
    ['a', 'b'],
    ['1', undefined],
    ['', '=2'],
  ])
})

it('records may end with carriage returns alone, as Excel for Mac writes them', async () => {
  const lines = ['\ufeffFrage;"Preis\r\nnetto"', '"Warum?";1,5', '', '"a\nb";2', 'c;']
  const expected = [
    ['Frage', 'Preis\r\nnetto'],
    ['Warum?', '1,5'],
    ['a\nb', '2'],
    ['c', undefined],
  ]
  for (const end of ['\r', '']) {
    const text = lines.join('\r') + end
    for (let cutIndex = 0; cutIndex <= text.length; cutIndex++)
      assert.deepEqual(await Array.fromAsync(readCsv(cutAnywhere(text, cutIndex))), expected)
  }
  // In tables with other line breaks, it is part of the cell.
  for (const lineBreak of ['\n', '\r\n'])
    assert.deepEqual(await Array.fromAsync(readCsv(cutAnywhere(`a,b${lineBreak}1,2\r3${lineBreak}`, 4))), [
      ['a', 'b'],
      ['1', '2\r3'],
    ])
})

it('the separator is detected in the header, outside of quotes: in many countries, spreadsheets write semicolons', async () => {
  const read = (text: string, cutIndex: number) => Array.fromAsync(readCsv(cutAnywhere(text, cutIndex)))
  for (const separator of [',', ';', '\t']) {
    const lines = [
      ['question, long', 'price; net', 'a\tb "c"'],
      ['Why?', '1,5', ''],
    ]
    const quoted = lines.map((line) => line.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(separator))
    const text = `\ufeff\r\n${quoted.join('\r\n')}\r\n`
    for (const cutIndex of [0, 2, 9, 30]) assert.deepEqual(await read(text, cutIndex), lines)
  }
  assert.deepEqual(await read('Frage;Preis\nWarum?;1,5', 4), [
    ['Frage', 'Preis'],
    ['Warum?', '1,5'],
  ])
  assert.deepEqual(await read('a 5" disk;b\n1;2\n', 3), [
    ['a 5" disk', 'b'],
    ['1', '2'],
  ])
  assert.deepEqual(await read('a,b;c\n1,2\n', 3), [
    ['a', 'b;c'],
    ['1', '2'],
  ])
  // As written by the service, with any column names.
  async function* oneRow() {
    yield ['x', 'y']
  }
  const columns = ['a;b;c;d', 'e'].map((name) => ({ name, type: 'text' }) as const)
  const text = (await Array.fromAsync(csvPieces(columns, oneRow()))).join('')
  assert.deepEqual(await read(text, 1), [
    ['a;b;c;d', 'e'],
    ['x', 'y'],
  ])
})

it('if a header has several separators, the following records decide', async () => {
  const read = (text: string, cutIndex: number) => Array.fromAsync(readCsv(cutAnywhere(text, cutIndex)))
  const rows = [
    ['question, or prompt, in full', 'answer'],
    ['Why?', 'So, that'],
    ['Who?', 'a, b, c'],
    ['"When?"', 'now'],
  ]
  const text = (separator: string): string =>
    rows.map((row) => row.join(separator).replaceAll('"', '')).join('\n')
  const plainRows = rows.map((row) => row.map((cell) => cell.replaceAll('"', '')))
  for (const cutIndex of [0, 3, 40, 1000]) {
    assert.deepEqual(await read(text(';'), cutIndex), plainRows)
    assert.deepEqual(await read(`${text('\t')}\n`, cutIndex), plainRows)
  }
  // If the records do not decide: the more frequent one, or the comma if equal.
  assert.deepEqual(await read('a, b;c;d', 2), [['a, b', 'c', 'd']])
  assert.deepEqual(await read('a,b;c', 2), [['a', 'b;c']])
})

it('a first line that declares the separator is not part of the table', async () => {
  const read = (text: string, cutIndex: number) => Array.fromAsync(readCsv(cutAnywhere(text, cutIndex)))
  const expectation = [
    ['a', 'b, c'],
    ['1,5', '2'],
  ]
  for (const cutIndex of [0, 2, 7, 20]) {
    assert.deepEqual(await read('\ufeffsep=;\r\na;b, c\r\n1,5;2\r\n', cutIndex), expectation)
    assert.deepEqual(await read('SEP=|\na|b, c\n1,5|2', cutIndex), expectation)
  }
  assert.deepEqual(await read('sep=,x\n1,2\n', 3), [
    ['sep=', 'x'],
    ['1', '2'],
  ])
})

it('a header must name each column once, and unnamed columns are numbered by position', () => {
  assert.deepEqual(titlesOf(['a', undefined]), ['a', ''])
  assert.deepEqual(titlesOf(['a', undefined, '']), ['a', 'Column 2', 'Column 3'])
  assert.throws(
    () => titlesOf(['a', 'b', 'a', 'b', 'c', 'a']),
    /^SyntaxError: the header has "a" and "b" more than once$/,
  )
})
