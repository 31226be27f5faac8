/** Rows of any content come back from the engine as they went. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import type { Clients } from '../engine/clients.ts'
import { openTestClients } from '../testing/testing-clients.ts'
import { columnsOfTable, encodeTraceRow, readEncodedLine } from './encode-rows.ts'
import { listCell, mapCell, numberCell, pairsCell, textCell, textOrNullCell } from './tab-separated.ts'

let clients: Clients
before(async () => {
  clients = await openTestClients()
  await clients.command(
    `CREATE TABLE any_cells (id UInt32, text String, nullable Nullable(String), low LowCardinality(Nullable(String)),
       list Array(LowCardinality(String)), pairs Array(Tuple(String, String)), map Map(String, String),
       number Nullable(Float64), integer Nullable(Int64), flag Bool, time DateTime64(3, 'UTC'))
     ENGINE = MergeTree ORDER BY id`,
  )
})
after(() => clients.close())

/** Texts of what the format gives a meaning, of any character, and of halves of characters. */
const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({
    unit: fc.constantFrom(
      ...'\t\n\r\0\\\'"\b\f\v,:[](){}N ',
      ...['\\N', '\\t', 'a', 'é', '今', '😀', '\ud83d', '\ude00', '\u2028', '\x7f'],
    ),
  }),
)

const anyRow = fc.record({
  text: anyText,
  nullable: fc.option(anyText),
  low: fc.option(anyText),
  list: fc.array(anyText, { maxLength: 4 }),
  pairs: fc.array(fc.tuple(anyText, anyText), { maxLength: 3 }),
  map: fc.uniqueArray(fc.tuple(anyText, anyText), { maxLength: 3, selector: ([key]) => key.toWellFormed() }),
  number: fc.option(fc.double({ noNaN: true, noDefaultInfinity: true })),
  integer: fc.option(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })),
  flag: fc.boolean(),
  timeMs: fc.integer({ min: 0, max: 4_102_444_800_000 }),
})
type AnyRow = typeof anyRow extends fc.Arbitrary<infer Row> ? Row : never

const isoOf = (timeMs: number): string => new Date(timeMs).toISOString().slice(0, 23).replace('T', ' ')

const cellsOf = (row: AnyRow, id: number): string[] => [
  String(id),
  textCell(row.text),
  textOrNullCell(row.nullable),
  textOrNullCell(row.low),
  listCell(row.list),
  pairsCell(row.pairs),
  mapCell(row.map),
  numberCell(row.number),
  numberCell(row.integer),
  String(row.flag),
  isoOf(row.timeMs),
]

const whole = (text: string | null): string | null => text?.toWellFormed() ?? null

const columns =
  'id, text, nullable, low, list, pairs, map, number, toString(integer) AS integer, flag, toString(time) AS time'

test('every text, list, pair, map, number, flag and time comes back; half a character is replaced', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyRow, { minLength: 1, maxLength: 100 }), async (rows) => {
      await clients.command('TRUNCATE TABLE any_cells')
      const lines = rows.map((row, id) => `${cellsOf(row, id).join('\t')}\n`)
      await clients.insert({
        // Safe: the test's own table.
        table: 'any_cells' as 'traces',
        columns: 'id,text,nullable,low,list,pairs,map,number,integer,flag,time'.split(','),
        lines: Buffer.from(lines.join('')),
        token: randomUUID(),
      })
      const stored = await clients.read(`SELECT ${columns} FROM any_cells ORDER BY any_cells.id`, {})
      const expected = rows.map((row, id) => ({
        id,
        text: whole(row.text),
        nullable: whole(row.nullable),
        low: whole(row.low),
        list: row.list.map(whole),
        pairs: row.pairs.map((pair) => pair.map(whole)),
        map: Object.fromEntries(row.map.map((pair) => pair.map(whole))),
        // The engine does not write the sign of a zero.
        number: row.number === 0 ? 0 : row.number,
        integer: row.integer === null ? null : String(row.integer),
        flag: row.flag,
        time: isoOf(row.timeMs),
      }))
      assert.deepEqual(plain(stored), plain(expected))
    }),
    { numRuns: 40 },
  )
})

/** Compares objects of any keys by their JSON; the sign of a zero has none. */
const plain = (rows: unknown): unknown => JSON.parse(JSON.stringify(rows))

test('a first row that looks like the names of the columns is a row', async () => {
  await clients.command('CREATE TABLE names (a String, b String) ENGINE = MergeTree ORDER BY a')
  await clients.insert({
    table: 'names' as 'traces',
    columns: ['a', 'b'],
    lines: Buffer.from('a\tb\nString\tString\nc\td\n'),
    token: randomUUID(),
  })
  const rows = await clients.read<{ a: string }>('SELECT a FROM names ORDER BY a', {})
  assert.deepEqual(
    rows.map(({ a }) => a),
    ['String', 'a', 'c'],
  )
})

test('an encoded line is read back by column', async () => {
  const { testTrace } = await import('../testing/testing.ts')
  fc.assert(
    fc.property(anyText, (name) => {
      const row = testTrace({ workspaceId: 'w', name, userId: null })
      const line = readEncodedLine('traces', encodeTraceRow(row))
      assert.equal(line?.name, name.toWellFormed())
      assert.equal(line?.user_id, null)
    }),
  )
  assert.equal(readEncodedLine('traces', 'a\tb\n'), undefined)
})

test('every column of the tables that is not computed has a cell', async () => {
  for (const [table, encoded] of Object.entries(columnsOfTable)) {
    const rows = await clients.read<{ name: string }>(
      `SELECT name FROM system.columns WHERE database = currentDatabase() AND table = {table:String}
       AND default_kind != 'ALIAS'`,
      { table },
    )
    assert.deepEqual(encoded.toSorted(), rows.map(({ name }) => name).toSorted())
  }
})
