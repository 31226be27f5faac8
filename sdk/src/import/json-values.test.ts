import assert from 'node:assert/strict'
import { it } from 'node:test'
import fc from 'fast-check'
import { readJsonValues } from './json-values.ts'

async function* cutAnywhere(text: string, index: number): AsyncGenerator<string> {
  yield text.slice(0, index)
  yield text.slice(index)
}
const readValues = async (text: string, index = 0): Promise<unknown[]> =>
  (await Array.fromAsync(readJsonValues(cutAnywhere(text, index)))).map(
    (value) => JSON.parse(value) as unknown,
  )

it('a list, lines, consecutive objects and a response that wraps a list give the same records', async () => {
  const record = fc.dictionary(
    fc.string().filter((key) => key !== '__proto__'),
    fc.jsonValue(),
    { noNullPrototype: true },
  )
  await fc.assert(
    fc.asyncProperty(
      fc.array(record.filter((value) => !['data', 'runs', 'content'].some((key) => key in value))),
      fc.nat(),
      async (records, position) => {
        const forms = [
          JSON.stringify(records),
          JSON.stringify(records, null, 2),
          records.map((value) => JSON.stringify(value)).join('\n'),
          records.map((value) => JSON.stringify(value, null, 2)).join('\n\n'),
          JSON.stringify({ total: 2, ok: true, data: records, meta: { a: ['{'] } }),
          JSON.stringify({ runs: records, cursors: { next: '[' } }),
        ]
        for (const text of forms) {
          const values = await readValues(text, position % (text.length + 1))
          assert.equal(JSON.stringify(values), JSON.stringify(records), text)
        }
      },
    ),
  )
})

it('a record with a nested list called data is one record', async () => {
  const record = { trace: { data: [1] }, spans: [], rows: { runs: [2] } }
  assert.deepEqual(await readValues(JSON.stringify(record)), [record])
})

it('a file that is truncated or not JSON is an error', async () => {
  for (const text of ['[{"a":1},{"b"', '{"a":1}\n{"a', '{"data":[{"a":1}', 'id,name\n1,2\n', '"text'])
    await assert.rejects(readValues(text), SyntaxError, text)
  assert.deepEqual(await readValues(''), [])
})

it('a line that is not JSON is one value, and does not affect other lines', async () => {
  const lines = ['{"a":1}', '', 'not json', '{"b":[2]}', '  7 ', '["c"]', 'end']
  for (const newline of ['\n', '\r\n']) {
    const text = lines.join(newline)
    for (let index = 0; index <= text.length; index++) {
      const values = await Array.fromAsync(readJsonValues(cutAnywhere(`${text}${newline}`, index)))
      assert.deepEqual(
        values.map((value) => value.trim()),
        ['{"a":1}', 'not json', '{"b":[2]}', '7', '"c"', 'end'],
      )
    }
  }
})
