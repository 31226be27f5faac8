/** Changes of stored traces, while an assembly on another node may replace the traces. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { operations } from '@plumbline/contract'
import { pauseName } from '@plumbline/storage/control'
import { eventually } from '../../../../../fixtures/eventually.ts'
import { otlpTraceId, sendSpans } from '../../../../testing/deleted-spans.ts'
import { makeFeature, startTestApp } from '../../../../testing/test-app.ts'

const testApp = await startTestApp()
const { app, newWorkspace } = testApp
const { assemblies } = app.control

const rootId = '1'.repeat(16)
const child = (digit: string) => ({ spanId: digit.repeat(16), parentSpanId: rootId, name: `span ${digit}` })

async function recordSpans() {
  const workspace = await newWorkspace()
  const key = { workspaceId: workspace.id, otelTraceId: otlpTraceId() }
  await sendSpans(testApp, workspace, key.otelTraceId, [{ spanId: rootId, name: 'root' }])
  await app.flush()
  const { trace } = await workspace.ok(operations.traces.get, { id: key.otelTraceId })
  const findStored = async () => {
    const storedTrace = await app.traceStore.scopedTo(workspace.id).find(trace.id)
    return storedTrace ?? assert.fail('The trace is not stored.')
  }
  return { workspace, key, id: trace.id, findStored }
}

test('no plan is made for a trace while a node changes it', async () => {
  const { workspace, key, findStored } = await recordSpans()
  await sendSpans(testApp, workspace, key.otelTraceId, [child('2')])
  await app.flush()
  const { endRevision } = await assemblies.completed()
  await assemblies.pause([key], 'another node', new Date(Date.now() + 3_600_000))
  let flushed: Promise<void> | undefined
  try {
    await sendSpans(testApp, workspace, key.otelTraceId, [child('3')])
    flushed = app.flush()
    // Each attempt has a revision of its own; one assembly makes two attempts at most.
    await eventually(async () => assert.ok((await assemblies.completed()).endRevision >= endRevision + 5))
    assert.equal((await findStored()).logs.length, 2)
  } finally {
    await assemblies.resume([key])
    await flushed
  }
  assert.equal((await findStored()).logs.length, 3)
})

test("a change waits for another node's plan", async () => {
  const { workspace, key, id, findStored } = await recordSpans()
  await makeFeature(workspace)
  const experiment = await workspace.ok(operations.experiments.create, {
    featureSlug: 'chat',
    name: 'An experiment',
  })
  const laterThanTheLease = new Date(Date.now() + 3_600_000)
  const revision = await assemblies.claimLease('another node', laterThanTheLease, 0)
  assert.ok(revision !== undefined)
  const { startUs } = (await findStored()).trace
  const traces = [{ ...key, traces: [{ traceId: id, startUs }] }]
  let attached: Promise<unknown> | undefined
  try {
    assert.equal(await assemblies.storePlan({ revision, traces }), true)
    attached = workspace.ok(operations.experiments.attach, { id: experiment.id, traceIds: [id] })
    await eventually(async () => assert.ok((await assemblies.paused(new Date())).has(pauseName(key))))
    assert.equal((await findStored()).trace.experimentId, null)
  } finally {
    await assemblies.finish(revision, [])
    await assemblies.claimLease('another node', new Date(), -1000)
    await attached
  }
  assert.equal((await findStored()).trace.experimentId, experiment.id)
  assert.deepEqual(await assemblies.paused(new Date()), new Set())
})
