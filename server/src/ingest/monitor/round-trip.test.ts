/** The JSON that was sent is the JSON that is returned: real traces of real frameworks, and any JSON value. */
// One control plane is enough: the returned values are in the spool and the trace store.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { operations } from '@plumbline/contract'
import fc from 'fast-check'
import { propertyRuns } from '../../../../fixtures/property-runs.ts'
import { startTestApp } from '../../../testing/test-app.ts'
import { readTimestamp } from '../../json/timestamp.ts'

const { monitor, traces } = operations
const { app, newWorkspace } = await startTestApp()

type Fields = Record<string, unknown>

const folder = new URL('../../../../fixtures/traces/', import.meta.url)
const fixtures = readdirSync(folder).filter((name) => name.endsWith('.json'))

/** Fields that are computed when they are null or absent. */
const computed = new Set(['name', 'startTime', 'endTime', 'inputTokens', 'outputTokens', 'cost', 'input'])

/** Asserts that every sent field is returned: null as null or as a computed value, times as instants. */
function assertRead(input: Fields, read: Fields, path: string): void {
  for (const [name, value] of Object.entries(input)) {
    const fieldPath = `${path}${name}`
    if (name === 'logs') continue
    if (value === null) assert.ok(read[name] === null || computed.has(name), fieldPath)
    else if (name === 'startTime' || name === 'endTime')
      assert.equal(readTimestamp(read[name] as string), readTimestamp(value as string), fieldPath)
    else assert.deepEqual(read[name], value, fieldPath)
  }
}

describe('a trace of a real framework', () => {
  it('has at least ten examples', () => assert.ok(fixtures.length >= 10))

  for (const name of fixtures) {
    it(`reads back as it was sent, before and after it is drained: ${name}`, async () => {
      const workspace = await newWorkspace()
      const body = JSON.parse(readFileSync(new URL(name, folder), 'utf8')) as Fields & { logs: Fields[] }
      const { trace: createdTrace, warning } = await workspace.ok(monitor.trace, body)
      assert.equal(warning, undefined)
      const readNow = async () =>
        (await workspace.ok(traces.get, { id: createdTrace.id })).trace as unknown as typeof body
      const pending = await readNow()
      assertRead(body, pending, '')
      assert.equal(pending.logs.length, body.logs.length)
      body.logs.forEach((log, index) => {
        assertRead(log, pending.logs[index]!, `logs[${index}].`)
      })
      await app.flush()
      assert.deepEqual(await readNow(), pending)
    })
  }
})

const oddTexts = [
  '__proto__',
  'constructor',
  'toString',
  '',
  '1',
  '-0',
  '01',
  'error',
  'a.b',
  'ü',
  '\u2028',
  '\0',
  '🙂',
]
const oddNumbers = [0, 1e308, 5e-324, -1e-7, 2 ** 53, 2 ** 53 + 2, 0.1, 1.7976931348623157e308, 2 ** 64]
const text = fc.oneof(fc.constantFrom(...oddTexts), fc.string({ unit: 'binary', maxLength: 20 }))
const number = fc.oneof(
  fc.constantFrom(...oddNumbers),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.integer(),
)
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    fc.oneof(fc.constant(null), fc.boolean(), number, text),
    fc.array(tie('value'), { maxLength: 4 }),
    objectOf(tie('value')),
  ),
}))

/** An object from entries, where `__proto__` is an ordinary key. */
function objectOf(values: fc.Arbitrary<unknown>): fc.Arbitrary<Fields> {
  return fc
    .array(fc.tuple(text, values), { maxLength: 4 })
    .map((entries) => Object.fromEntries(entries) as Fields)
}
const textOrJson = fc.oneof(text, objectOf(value), fc.array(value, { maxLength: 4 }))
const run = fc.record({
  input: textOrJson,
  output: textOrJson,
  idealOutput: textOrJson,
  metadata: objectOf(value),
  values: fc.array(value, { maxLength: 3 }),
  single: value,
})

describe('any JSON', () => {
  it('reads back as it was sent, in every field that accepts it, before and after it is drained', async () => {
    const workspace = await newWorkspace()
    const property = fc.asyncProperty(fc.array(run, { minLength: 1, maxLength: 6 }), async (runs) => {
      const expected: { id: string; read: string }[] = []
      const readNow = async (id: string): Promise<string> => {
        const { trace } = await workspace.ok(traces.get, { id })
        const { input, output, idealOutput, metadata, logs } = trace
        const log = logs[0]!
        return JSON.stringify([
          [input, output, idealOutput, metadata],
          log.input,
          log.output,
          log.metadata,
          log.variables,
        ])
      }
      for (const { input, output, idealOutput, metadata, values, single } of runs) {
        const variables = values.map((each, index) => ({ label: `v${index}`, value: each }))
        const log = { id: 'g', type: 'generation', input, output, metadata, variables }
        const body = { input, output, idealOutput, metadata, logs: [log] }
        const { trace } = await workspace.ok(monitor.trace, body)
        const fields = [input, output, idealOutput, metadata]
        expected.push({ id: trace.id, read: JSON.stringify([fields, input, output, metadata, variables]) })
        const alone = await workspace.ok(monitor.log, {
          slug: 'x',
          input,
          output: single,
          metadata,
          variables,
        })
        const read = JSON.stringify([[null, null, null, metadata], input, single, null, variables])
        expected.push({ id: alone.trace.id, read })
      }
      for (const { id, read } of expected) assert.equal(await readNow(id), read)
      await app.flush()
      for (const { id, read } of expected) assert.equal(await readNow(id), read)
    })
    await fc.assert(property, propertyRuns(2))
  })
})

it('a key with an escape is not mistaken for one that was recorded before', async () => {
  const workspace = await newWorkspace()
  for (const key of ['C:\\\\\\\\', 'C:\\\\\\"', '\\\\', '\\u540d']) {
    const payload = `{"metadata":{"a":1,"${key}":2}}`
    const recorded = await workspace.ok(monitor.trace, {}, { payload })
    const read = async () => (await workspace.ok(traces.get, { id: recorded.trace.id })).trace.metadata
    const metadata = { a: 1, [JSON.parse(`"${key}"`) as string]: 2 }
    assert.deepEqual(Object.keys((await read()) ?? {}), Object.keys(metadata))
    await app.flush()
    assert.deepEqual(Object.keys((await read()) ?? {}), Object.keys(metadata))
  }
})
