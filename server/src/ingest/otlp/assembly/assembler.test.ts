/** Traces whose spans arrive in any order and in any number of exports. */
// One control plane is enough: assemblies have tests of their own on both.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { operations } from '@plumbline/contract'
import { eventually } from '../../../../../fixtures/eventually.ts'
import {
  generationAttributes,
  idOf,
  type JsonSpan,
  jsonExport,
  jsonSpan,
  postJson,
} from '../../../../testing/otlp-export.ts'
import { startTestApp, type TestWorkspace } from '../../../../testing/test-app.ts'

const testApp = await startTestApp()
const { app, newWorkspace } = testApp

const hourNs = 3_600_000_000_000n
const startNs = 1_760_000_400_000_000_000n - (1_760_000_400_000_000_000n % hourNs)

/** A span of the trace with this number; `parent` is the number of another of its spans. */
const span = (trace: number, number: number, parent: number | null, fields: object = {}): JsonSpan =>
  jsonSpan({
    traceId: idOf(trace, 16),
    spanId: idOf(number, 8),
    name: `span ${number}`,
    startTimeUnixNano: String(startNs + BigInt(number) * 1_000_000n),
    endTimeUnixNano: String(startNs + BigInt(number) * 1_000_000n + 5_000_000n),
    ...(parent === null ? {} : { parentSpanId: idOf(parent, 8) }),
    ...fields,
  })

const send = async (workspace: TestWorkspace, spans: readonly JsonSpan[]): Promise<void> => {
  const answer = await postJson(testApp, workspace, jsonExport(spans))
  assert.equal(answer.text, '{}')
}
const find = async (workspace: TestWorkspace, trace: number) =>
  (await workspace.ok(operations.traces.get, { id: idOf(trace, 16) })).trace
const list = async (workspace: TestWorkspace) => (await workspace.ok(operations.traces.list, {})).traces

/** The same query against the roll-ups and, by minute, against the tables. */
async function sums(workspace: TestWorkspace) {
  const measures = ['traces', 'logs', 'errors', 'inputTokens', 'outputTokens', 'cost', 'generations']
  const ask = async (granularity: string, dimensions: string[]) =>
    (
      await workspace.ok(operations.metrics.query, {
        measures: measures.join(','),
        granularity,
        ...(dimensions.length === 0 ? {} : { dimensions: dimensions.join(',') }),
      })
    ).rows
  const total = (rows: readonly Record<string, unknown>[], name: string): number =>
    Number(rows.reduce((sum, row) => sum + Number(row[name] ?? 0), 0).toFixed(9))
  for (const dimensions of [[], ['model'], ['type']]) {
    const [hours, minutes] = [await ask('hour', dimensions), await ask('minute', dimensions)]
    for (const name of measures)
      if (name !== 'traces' || dimensions.length === 0)
        assert.equal(total(hours, name), total(minutes, name), `${name} by ${dimensions.join()}`)
    const models = (rows: readonly Record<string, unknown>[]) => new Set(rows.map((row) => row.model))
    assert.deepEqual(models(hours), models(minutes), 'a group that has nothing is told of')
  }
  const hours = await ask('hour', [])
  return Object.fromEntries(measures.map((name) => [name, total(hours, name)]))
}

test('a repeated export is stored once', async () => {
  const workspace = await newWorkspace()
  const spans = [span(1, 1, null), span(1, 2, 1, { attributes: generationAttributes(10, 4) })]
  await send(workspace, spans)
  await app.flush()
  const first = await find(workspace, 1)
  await send(workspace, spans)
  await send(workspace, [...spans].reverse())
  await app.flush()
  assert.deepEqual(await find(workspace, 1), first)
  assert.deepEqual(
    (await list(workspace)).map(({ id }) => id),
    [first.id],
  )
  const { traces, logs, inputTokens } = await sums(workspace)
  assert.deepEqual({ traces, logs, inputTokens }, { traces: 1, logs: first.logs.length, inputTokens: 10 })
})

test('a trace is listed before its root arrives, and corrected under the same id when it does', async () => {
  const workspace = await newWorkspace()
  const model = 'gpt-4o-mini'
  await send(workspace, [
    span(2, 3, 2, { attributes: generationAttributes(100, 50, model) }),
    span(2, 4, 2, { attributes: generationAttributes(10, 5, model), status: { code: 2 } }),
  ])
  await eventually(async () => assert.equal((await list(workspace)).length, 1))
  const before = await find(workspace, 2)
  assert.deepEqual(
    [before.totals.inputTokens, before.totals.outputTokens, before.totals.errors],
    [110, 55, 1],
  )
  const { score } = await workspace.ok(operations.scores.create, {
    traceId: before.id,
    name: 'quality',
    value: 1,
  })
  // The roll-ups lag slightly behind the list.
  await app.flush()
  await sums(workspace)

  await send(workspace, [
    span(2, 1, null, { name: 'the root', startTimeUnixNano: String(startNs - 2n * hourNs) }),
    span(2, 2, 1, { name: 'the step', attributes: generationAttributes(110, 55, model) }),
    span(2, 5, 1, { attributes: generationAttributes(1, 1, 'gpt-4o') }),
  ])
  await app.flush()
  const after = await find(workspace, 2)
  assert.equal(after.id, before.id)
  assert.equal(after.name, 'the root')
  assert.equal(after.logs.length, 5)
  // The step reports the same usage as its children.
  assert.deepEqual([after.totals.inputTokens, after.totals.outputTokens, after.totals.errors], [111, 56, 1])
  assert.deepEqual(
    after.scores.map(({ id }) => id),
    [score.id],
  )
  assert.deepEqual(
    (await list(workspace)).map(({ name }) => name),
    ['the root'],
  )
  const { traces, logs, errors, inputTokens, outputTokens } = await sums(workspace)
  assert.deepEqual(
    { traces, logs, errors, inputTokens, outputTokens },
    { traces: 1, logs: after.logs.length, errors: 1, inputTokens: 111, outputTokens: 56 },
  )
})

test('a span that is exported while it runs and again after it ended is stored as ended', async () => {
  const workspace = await newWorkspace()
  const running = span(3, 1, null, { name: 'running', endTimeUnixNano: '0' })
  await send(workspace, [span(3, 1, null, { name: 'ended' })])
  await send(workspace, [running])
  await app.flush()
  assert.equal((await find(workspace, 3)).name, 'ended')
})

test('3,000 spans in 30 exports out of order become one whole trace, with assemblies in between', async () => {
  const workspace = await newWorkspace()
  const spans = Array.from({ length: 3000 }, (_, index) =>
    span(
      4,
      index,
      index === 0 ? null : (index - 1) >> 1,
      index % 10 === 9 ? { attributes: generationAttributes(3, 2) } : {},
    ),
  )
  // A step that is coprime to the length visits every span, far out of order.
  const shuffled = spans.map((_, index) => spans[(index * 1607 + 11) % spans.length]!)
  for (let start = 0; start < shuffled.length; start += 100)
    await send(workspace, shuffled.slice(start, start + 100))
  await eventually(async () => assert.equal((await find(workspace, 4)).logs.length, 3000))
  await app.flush()
  const trace = await find(workspace, 4)
  assert.equal(trace.name, 'span 0')
  const parents = new Map(trace.logs.map((log) => [log.id, log.parentId]))
  assert.equal([...parents.values()].filter((parent) => parent !== null && parents.has(parent)).length, 2999)
  const { traces, logs, inputTokens, generations } = await sums(workspace)
  assert.deepEqual(
    { traces, logs, inputTokens, generations },
    { traces: 1, logs: 3000, inputTokens: trace.totals.inputTokens, generations: 300 },
  )
})

test('traces of two workspaces with the same OpenTelemetry id are separate', async () => {
  const [first, second] = [await newWorkspace(), await newWorkspace()]
  await send(first, [span(5, 1, null, { name: 'one' })])
  await send(second, [span(5, 1, null, { name: 'other' })])
  await app.flush()
  assert.equal((await find(first, 5)).name, 'one')
  assert.equal((await find(second, 5)).name, 'other')
  assert.notEqual((await find(first, 5)).id, (await find(second, 5)).id)
})

test('an OpenTelemetry id without spans is not found', async () => {
  const workspace = await newWorkspace()
  assert.equal((await workspace.call(operations.traces.get, { id: idOf(6, 16) })).status, 404)
})
