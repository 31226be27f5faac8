import assert from 'node:assert/strict'
import { it } from 'node:test'
import fc from 'fast-check'
import { csvPieces } from '../../../server/src/table-files/csv.ts'
import { type Cell, readCsv } from './csv.ts'

async function* cutAnywhere(text: string, index: number): AsyncGenerator<string> {
  yield text.slice(0, index)
  yield text.slice(index)
}

it('CSV is read as the service writes it, wherever it is cut, formulas too', async () => {
  const cell = fc.option(
    fc.string({ unit: fc.constantFrom('a', '"', ',', '\n', '\r', ' ', '=', '-', '1', "'", '\t') }),
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

it('a table of somebody else is read with its byte order mark, its line feeds and its empty cells', async () => {
  const read = await Array.fromAsync(readCsv(cutAnywhere('\ufeffa,b\n1,\n"",=2\n', 5)))
  assert.deepEqual(read, [
    ['a', 'b'],
    ['1', undefined],
    ['', '=2'],
  ])
})
