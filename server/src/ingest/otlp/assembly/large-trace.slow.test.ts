/** A trace of 10,000 spans and 40 MB does not hold up small traces (operator, finding 10): measures counts and times. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { operations } from '@plumbline/contract'
import { eventually } from '../../../../../fixtures/eventually.ts'
import { idOf, jsonExport, jsonSpan, postJson } from '../../../../testing/otlp-export.ts'
import { startTestApp } from '../../../../testing/test-app.ts'

const testApp = await startTestApp()
const { app, newWorkspace } = testApp

const exportCount = 5
const spansPerExport = 2000
const spanCharacters = 4000
const smallCount = 200
const smallSpans = 5

const largeId = idOf(0, 16)
const text = 'lorem ipsum dolor sit amet '.repeat(spanCharacters / 27)

const largeExport = (index: number): object =>
  jsonExport(
    Array.from({ length: spansPerExport }, (_, position) => {
      const number = index * spansPerExport + position
      return jsonSpan({
        traceId: largeId,
        spanId: idOf(number, 8),
        ...(number > 0 && { parentSpanId: idOf(0, 8) }),
        attributes: [{ key: 'input.value', value: { stringValue: `${number} ${text}` } }],
      })
    }),
  )

const smallExport = (number: number): object =>
  jsonExport(
    Array.from({ length: smallSpans }, (_, position) =>
      jsonSpan({
        traceId: idOf(number + 1, 16),
        spanId: idOf(position, 8),
        ...(position > 0 && { parentSpanId: idOf(0, 8) }),
        name: 'small',
      }),
    ),
  )

test('small traces are complete at once and listed while a large one is stored, and none loses a span', async (context) => {
  const workspace = await newWorkspace()
  const send = async (body: object): Promise<void> =>
    assert.equal((await postJson(testApp, workspace, body)).text, '{}')
  const sendLarge = async (): Promise<void> => {
    for (let index = 0; index < exportCount; index++) await send(largeExport(index))
  }
  const misses: number[] = []
  const sendSmall = async (): Promise<void> => {
    for (let number = 0; number < smallCount; number++) {
      await send(smallExport(number))
      const { trace } = await workspace.ok(operations.traces.get, { id: idOf(number + 1, 16) })
      if (trace.logs.length !== smallSpans) misses.push(number)
    }
  }
  const startedAtMs = performance.now()
  await Promise.all([sendLarge(), sendSmall()])
  const secondsSince = (): string => ((performance.now() - startedAtMs) / 1000).toFixed(1)
  context.diagnostic(`acknowledged after ${secondsSince()} s`)
  assert.deepEqual(misses, [])

  await eventually(async () => {
    const { rows } = await workspace.ok(operations.metrics.query, {
      measures: 'traces,logs',
      filters: JSON.stringify({ name: 'small' }),
    })
    assert.deepEqual([rows[0]?.traces, rows[0]?.logs], [smallCount, smallCount * smallSpans])
  })
  context.diagnostic(`small ones counted after ${secondsSince()} s`)

  await app.flush()
  context.diagnostic(`all stored after ${secondsSince()} s`)
  const { trace } = await workspace.ok(operations.traces.outline, { id: largeId })
  assert.equal(trace.logCount, exportCount * spansPerExport)
})
