/** Traces that last longer than their spans are kept. */
// One control plane is enough: assemblies have tests of their own on both.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { operations } from '@plumbline/contract'
import {
  generationAttributes,
  idOf,
  jsonExport,
  jsonSpan,
  postJson,
} from '../../../../testing/otlp-export.ts'
import { startTestApp } from '../../../../testing/test-app.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const startMs = Date.now() - 7.7 * dayMs
let nowMs = startMs
const testApp = await startTestApp({ now: () => new Date(nowMs) })

test('a trace that grows without a pause ends before its first spans are deleted, and no span is in two traces', async () => {
  const workspace = await testApp.newWorkspace()
  const send = async (trace: number, number: number, parent: number | undefined): Promise<void> => {
    const span = jsonSpan({
      traceId: idOf(trace, 16),
      spanId: idOf(number, 8),
      name: `span ${number}`,
      attributes: generationAttributes(10, 1),
      ...(parent === undefined ? { endTimeUnixNano: '0' } : { parentSpanId: idOf(parent, 8) }),
    })
    assert.equal((await postJson(testApp, workspace, jsonExport([span]))).text, '{}')
  }
  const read = async () => {
    await testApp.app.flush()
    const { traces } = await workspace.ok(operations.traces.list, {})
    const responses = await Promise.all(traces.map(({ id }) => workspace.ok(operations.traces.get, { id })))
    return responses.map(({ trace }) => trace.logs.map(({ name }) => name).join()).sort()
  }

  await send(1, 1, undefined)
  assert.deepEqual(await read(), ['span 1'])
  nowMs = startMs + 3 * dayMs
  await send(2, 100, undefined)
  assert.deepEqual(await read(), ['span 1', 'span 100'])
  const names = ['span 1']
  for (nowMs = startMs + 6.99 * dayMs; nowMs < startMs + 7.54 * dayMs; nowMs += 0.04 * dayMs) {
    await send(1, names.length + 1, 1)
    names.push(`span ${names.length + 1}`)
    await testApp.app.flush()
  }
  assert.deepEqual(await read(), [names.join(), 'span 100'])
  // Assembled together with a trace that began days before.
  nowMs += 2 * hourMs
  await send(1, 90, 1)
  await send(2, 101, 100)
  assert.deepEqual(await read(), [names.join(), 'span 100,span 101', 'span 90'])
})
