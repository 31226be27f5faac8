import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { operations } from '@plumbline/contract'
import { eventually } from '../../../../fixtures/eventually.ts'
import { idOf, jsonExport, jsonSpan, postJson } from '../../../testing/otlp-export.ts'
import { recordTrace, startTestApp } from '../../../testing/test-app.ts'

const { get } = operations.traces
const testApp = await startTestApp()
const { app, newWorkspace } = testApp

const ownRoot = { key: 'basalt.root', value: { boolValue: true } }

describe('traces.get', () => {
  it('200: returns a trace as soon as it is acknowledged, by its id in upper or lower case', async () => {
    const workspace = await newWorkspace()
    const { id, trace } = await recordTrace(workspace, { name: 'here' })
    assert.equal(trace.name, 'here')
    assert.equal((await workspace.ok(get, { id: id.toUpperCase() })).trace.id, id)
  })

  it('200: returns the logs in the order they were sent, however many', async () => {
    const workspace = await newWorkspace()
    const logs = Array.from({ length: 1200 }, (_, index) => ({ id: `log ${1200 - index}`, type: 'event' }))
    const { id } = await recordTrace(workspace, { logs })
    await app.flush()
    const { trace } = await workspace.ok(get, { id })
    assert.deepEqual(
      trace.logs.map((log) => log.id),
      logs.map((log) => log.id),
    )
  })

  // clients, finding 4
  it('200: links the traces that were cut from one OpenTelemetry trace', async () => {
    const workspace = await newWorkspace()
    const span = (seed: number, name: string, parent?: number) =>
      jsonSpan({
        traceId: idOf(1, 16),
        spanId: idOf(seed, 8),
        name,
        attributes: [ownRoot],
        ...(parent === undefined ? {} : { parentSpanId: idOf(parent, 8) }),
      })
    await postJson(testApp, workspace, jsonExport([span(1, 'service A'), span(2, 'service B', 1)]))
    const other = jsonSpan({ traceId: idOf(9, 16), spanId: idOf(9, 8), name: 'alone' })
    await postJson(testApp, workspace, jsonExport([other]))
    await app.flush()
    const linksOf = async (name: string) =>
      eventually(async () => {
        const { traces } = await workspace.ok(operations.traces.list, { name })
        assert.equal(traces.length, 1)
        const { trace, linkedTraces } = await workspace.ok(get, { id: traces[0]!.id })
        return { id: trace.id, linkedTraces }
      })
    const [a, b, alone] = [await linksOf('service A'), await linksOf('service B'), await linksOf('alone')]
    assert.deepEqual(a.linkedTraces, [{ id: b.id, name: 'service B' }])
    assert.deepEqual(b.linkedTraces, [{ id: a.id, name: 'service A' }])
    assert.deepEqual(alone.linkedTraces, [])
  })

  it('404: for a trace that does not exist, before and after others are stored, or of another workspace', async () => {
    const [workspace, other] = [await newWorkspace(), await newWorkspace()]
    const { id: pending } = await recordTrace(other)
    for (const id of ['nobody', '01890000-0000-7000-8000-000000000000', pending, "' OR 1=1"]) {
      assert.equal(await workspace.refused(get, { id }, 404), `No trace has the id "${id}".`)
    }
    await app.flush()
    await workspace.refused(get, { id: pending }, 404)
  })
})
