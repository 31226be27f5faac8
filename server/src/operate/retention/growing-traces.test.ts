/** Traces that expire while more of their spans arrive, which would make an assembler store them again. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { operations } from '@plumbline/contract'
import { encodeLogs, encodeTraces } from '@plumbline/storage/traces/rows'
import { otlpTraceId, sendSpans } from '../../../testing/deleted-spans.ts'
import { startTestApp } from '../../../testing/test-app.ts'
import { makeUntilStored, type PlanDeps } from '../../ingest/otlp/assembly/change-traces.ts'
import { makeMutex } from '../../process/mutex.ts'
import { makeSliceSize } from '../deletions/delete-slice.ts'
import { expireTraces } from './expire-traces.ts'

const dayMs = 86_400_000
let offsetMs = 0
const now = () => new Date(Date.now() + offsetMs)
const testApp = await startTestApp({ now })
const { app, newWorkspace } = testApp
const { control, traceStore } = app

const rootId = '1'.repeat(16)

/** A trace in a workspace that keeps traces for a day. */
async function recordTrace() {
  const workspace = await newWorkspace()
  await workspace.ok(operations.retention.update, { days: 1 })
  const key = { workspaceId: workspace.id, otelTraceId: otlpTraceId() }
  await sendSpans(testApp, workspace, key.otelTraceId, [{ spanId: rootId, name: 'root' }])
  await app.flush()
  const sendLate = () =>
    sendSpans(testApp, workspace, key.otelTraceId, [
      { spanId: '2'.repeat(16), parentSpanId: rootId, name: 'late' },
    ])
  const { trace } = await workspace.ok(operations.traces.get, { id: key.otelTraceId })
  const findStored = () => traceStore.scopedTo(workspace.id).find(trace.id)
  /** The number of traces that dashboards count, which expiry does not change. */
  const countedTraces = async () => {
    const [row] = await traceStore
      .scopedTo(workspace.id)
      .measure({ measures: ['traces'], dimensions: [], filters: {} })
    return row?.traces
  }
  return { key, sendLate, findStored, countedTraces }
}

const expire = (assemblyStore: PlanDeps['assemblyStore'] = control.assemblies) =>
  expireTraces(
    {
      control,
      traceStore,
      traceChanges: makeMutex(),
      untilStored: makeUntilStored({ assemblyStore, wakeAssembler: () => {} }),
      sliceSize: makeSliceSize(),
      signal: new AbortController().signal,
    },
    now(),
  )

test('a trace that another node is storing again expires once that is done, and is counted once', async () => {
  const { key, findStored, countedTraces } = await recordTrace()
  const { trace, logs } = (await findStored()) ?? assert.fail('The trace is not stored.')
  offsetMs += 2 * dayMs
  const { assemblies } = control
  const revision = await assemblies.claimLease('another node', new Date(now().getTime() + dayMs), 0)
  assert.ok(revision !== undefined)
  const storedKey = { workspaceId: key.workspaceId, traceId: trace.traceId, startUs: trace.startUs }
  const plan = { revision, traces: [{ ...key, traces: [storedKey] }] }
  assert.equal(await assemblies.storePlan(plan), true)
  const hasListed = Promise.withResolvers<void>()
  const listUnfinished: typeof assemblies.unfinished = async () => {
    const plans = await assemblies.unfinished()
    hasListed.resolve()
    return plans
  }
  const expiry = expire({ unfinished: listUnfinished })
  await Promise.race([expiry, hasListed.promise])
  const assembled = { revision, otelTraceId: key.otelTraceId }
  await traceStore.replace({
    revision,
    keys: [storedKey],
    replaces: true,
    traces: encodeTraces([trace], assembled),
    logs: encodeLogs(logs, assembled),
    scores: Buffer.alloc(0),
  })
  await assemblies.finish(revision, [])
  await assemblies.claimLease('another node', now(), -dayMs)
  assert.equal(await expiry, undefined)
  assert.equal(await findStored(), undefined)
  assert.equal(await countedTraces(), 1)
})

test('a trace expires although a node died while storing it again', async () => {
  const { key, findStored, countedTraces } = await recordTrace()
  const { trace } = (await findStored()) ?? assert.fail('The trace is not stored.')
  offsetMs += 2 * dayMs
  const { assemblies } = control
  const revision = await assemblies.claimLease('another node', now(), -dayMs)
  assert.ok(revision !== undefined)
  const storedKey = { traceId: trace.traceId, startUs: trace.startUs }
  assert.equal(await assemblies.storePlan({ revision, traces: [{ ...key, traces: [storedKey] }] }), true)
  // The nightly run, which is due by now.
  await app.jobsDrained()
  assert.equal(await findStored(), undefined)
  assert.equal(await countedTraces(), 1)
})

test('a trace whose whole month has expired does not reappear with a late span', async () => {
  const today = now()
  // Noon of the last day of the month after next, where no other test has traces.
  const lastNoon = Date.UTC(today.getUTCFullYear(), today.getUTCMonth() + 3, 0, 12)
  offsetMs += lastNoon - today.getTime()
  const { sendLate, findStored, countedTraces } = await recordTrace()
  offsetMs += 2 * dayMs
  assert.equal(await expire(), undefined)
  assert.equal(await findStored(), undefined)
  await sendLate()
  await app.flush()
  assert.equal(await findStored(), undefined)
  assert.equal(await countedTraces(), 1)
})
