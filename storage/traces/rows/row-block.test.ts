/** Rows with any content are returned from the engine unchanged. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import type { Clients } from '../engine/clients.ts'
import { openTestClients } from '../testing/testing-clients.ts'
import {
  count,
  flag,
  floatOrNull,
  floatsByText,
  integerOrNull,
  text,
  textOrNull,
  textPairs,
  texts,
  textsByText,
  time,
  uuid,
  version,
} from './column-types.ts'
import {
  BlockWriter,
  type Column,
  column,
  countRows,
  encodeRows,
  readRows,
  selectRows,
  splitBlocks,
} from './row-block.ts'
import { columnsOfTable } from './table-columns.ts'

let clients: Clients
before(async () => {
  clients = await openTestClients()
  await clients.command(
    `CREATE TABLE any_cells (id UInt32, text String, nullable Nullable(String), low LowCardinality(Nullable(String)),
       list Array(LowCardinality(String)), pairs Array(Tuple(String, String)), map Map(String, String),
       numbers Map(LowCardinality(String), Float64), number Nullable(Float64), integer Nullable(Int64), version UInt64,
       uuid UUID, flag Bool, time DateTime64(3, 'UTC'))
     ENGINE = MergeTree ORDER BY id`,
  )
})
after(() => clients.close())

/** Texts with characters that are special in the format, any other characters, and lone surrogates. */
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
  uuid: fc.uuid(),
  flag: fc.boolean(),
  timeMs: fc.integer({ min: 0, max: 4_102_444_800_000 }),
})
type AnyRow = typeof anyRow extends fc.Arbitrary<infer Row> ? Row : never

const isoOf = (timeMs: number): string => new Date(timeMs).toISOString().slice(0, 23).replace('T', ' ')

type NumberedRow = AnyRow & { readonly id: number }

const columns: readonly Column<NumberedRow>[] = [
  column('id', count, ({ id }) => id),
  column('text', text, (row) => row.text),
  column('nullable', textOrNull, ({ nullable }) => nullable),
  column('low', textOrNull, ({ low }) => low),
  column('list', texts, ({ list }) => list),
  column('pairs', textPairs, ({ pairs }) => pairs),
  column('map', textsByText, ({ map }) => map),
  column('numbers', floatsByText, ({ map }) => map.map(([key], index) => [key, index / 2])),
  column('number', floatOrNull, ({ number }) => number),
  column('integer', integerOrNull, ({ integer }) => integer),
  column('version', version, ({ timeMs }) => timeMs * 1000),
  column('uuid', uuid, (row) => row.uuid),
  column('flag', flag, (row) => row.flag),
  column('time', time, ({ timeMs }) => timeMs),
]

const whole = (text: string | null): string | null => text?.toWellFormed() ?? null

const selected =
  'id, text, nullable, low, list, pairs, map, numbers, number, toString(integer) AS integer, toString(version) AS version, uuid, flag, toString(time) AS time'

test('every text, list, pair, map, number, flag and time is returned unchanged; lone surrogates are replaced', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyRow, { minLength: 1, maxLength: 100 }), async (rows) => {
      await clients.command('TRUNCATE TABLE any_cells')
      await clients.insert({
        // Safe: the test's own table.
        table: 'any_cells' as 'traces',
        columns: columns.map(({ name }) => name),
        block: encodeRows(
          columns,
          rows.map((row, id) => ({ ...row, id })),
        ),
        token: randomUUID(),
      })
      const storedRows = await clients.read(`SELECT ${selected} FROM any_cells ORDER BY any_cells.id`, {})
      const expected = rows.map((row, id) => ({
        id,
        text: whole(row.text),
        nullable: whole(row.nullable),
        low: whole(row.low),
        list: row.list.map(whole),
        pairs: row.pairs.map((pair) => pair.map(whole)),
        map: Object.fromEntries(row.map.map((pair) => pair.map(whole))),
        numbers: Object.fromEntries(row.map.map(([key], index) => [whole(key), index / 2])),
        // The engine does not return the sign of a zero.
        number: row.number === 0 ? 0 : row.number,
        integer: row.integer === null ? null : String(row.integer),
        version: String(row.timeMs * 1000),
        uuid: row.uuid,
        flag: row.flag,
        time: isoOf(row.timeMs),
      }))
      assert.deepEqual(plain(storedRows), plain(expected))
    }),
    { numRuns: 40 },
  )
})

/** Converts to JSON and back, so that objects with any keys compare equal and zeros have no sign. */
const plain = (rows: unknown): unknown => JSON.parse(JSON.stringify(rows))

const anyRows = fc.array(
  fc.record({ id: fc.nat(), row: anyRow }).map(({ id, row }): NumberedRow => ({ ...row, id })),
  { maxLength: 12 },
)

test('rows selected from a block equal a block of these rows, in any arrangement, and can be read', () => {
  fc.assert(
    fc.property(anyRows, fc.array(fc.nat({ max: 12 }), { maxLength: 6 }), (rows, cuts) => {
      const bounds = cuts.map((cut) => Math.min(cut, rows.length)).toSorted((a, b) => a - b)
      const ranges = bounds.flatMap((start, index) =>
        index % 2 === 0 ? [[start, bounds[index + 1] ?? rows.length] as const] : [],
      )
      const chosenRows = ranges.flatMap(([start, end]) => rows.slice(start, end))
      const block = encodeRows(columns, rows)
      assert.deepEqual(selectRows(block, ranges), encodeRows(columns, chosenRows))
      // Traces may be complete in a different order than they began.
      assert.deepEqual(selectRows(block, ranges.toReversed()), encodeRows(columns, chosenRows))
      assert.equal(countRows(block), rows.length)
      assert.deepEqual(
        readRows(block).map(({ text, nullable, list, uuid, time }) => ({ text, nullable, list, uuid, time })),
        rows.map((row) => ({
          text: whole(row.text),
          nullable: whole(row.nullable),
          list: row.list.map(whole),
          uuid: row.uuid,
          time: new Date(row.timeMs).toISOString(),
        })),
      )
    }),
  )
})

test('consecutive blocks can be split', () => {
  fc.assert(
    fc.property(fc.array(anyRows, { maxLength: 4 }), (rowsOfBlocks) => {
      const blocks = rowsOfBlocks.map((rows) => encodeRows(columns, rows))
      assert.deepEqual(
        splitBlocks(Buffer.concat(blocks)),
        blocks.filter(({ length }) => length > 0),
      )
    }),
  )
})

test('a row that fails leaves no trace of those that were added with it', () => {
  fc.assert(
    fc.property(anyRows, anyRows, (rows, others) => {
      const writer = new BlockWriter(columns)
      writer.append(rows)
      // Safe: simulates a bug; the column is among the last.
      const failing = [...others, { ...others[0], uuid: 'not one' } as NumberedRow]
      assert.throws(() => writer.append(failing))
      assert.equal(writer.rows, rows.length)
      writer.append(others)
      assert.deepEqual(writer.take(), encodeRows(columns, [...rows, ...others]))
    }),
  )
})

test('a writer whose block was taken produces the same blocks as a new one', () => {
  fc.assert(
    fc.property(fc.array(anyRows, { minLength: 2, maxLength: 4 }), (rowsOfBlocks) => {
      const writer = new BlockWriter(columns)
      for (const rows of rowsOfBlocks) {
        writer.append(rows)
        assert.deepEqual(writer.take(), encodeRows(columns, rows))
      }
    }),
  )
})

test('texts of any length are returned unchanged, even if the byte length needs more digits than the character count', () => {
  const only = [column<string, string>('text', text, (each) => each)]
  const long = [0, 1, 23, 24, 42, 43, 127, 128, 5_461, 5_462, 16_383, 16_384, 16_385, 700_000].flatMap(
    (length) => ['a'.repeat(length), 'é'.repeat(length), '今'.repeat(length), `${'a'.repeat(length)}😀`],
  )
  assert.deepEqual(
    readRows(encodeRows(only, long)).map((row) => row.text),
    long,
  )
})

test('every table column that is not computed has a cell', async () => {
  for (const [table, encoded] of Object.entries(columnsOfTable)) {
    const rows = await clients.read<{ name: string }>(
      `SELECT name FROM system.columns WHERE database = currentDatabase() AND table = {table:String}
       AND default_kind NOT IN ('ALIAS', 'MATERIALIZED')`,
      { table },
    )
    assert.deepEqual(encoded.toSorted(), rows.map(({ name }) => name).toSorted())
  }
})
