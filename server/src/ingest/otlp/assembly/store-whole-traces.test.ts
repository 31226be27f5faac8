/** Traces that arrived whole are stored once, whenever the process dies, and later spans replace them. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type ControlStore, defaultWorkspaceId, openControlStore } from '@plumbline/storage/control'
import { engines, type Place } from '@plumbline/storage/control/testing'
import type { TraceStore } from '@plumbline/storage/traces'
import { openTestTraceStore } from '@plumbline/storage/traces/testing'
import { pino } from 'pino'
import { eventually } from '../../../../../fixtures/eventually.ts'
import { generationAttributes, idOf, jsonExport, jsonSpan } from '../../../../testing/otlp-export.ts'
import { createTemplateCache } from '../../../workspace/template-cache.ts'
import { makeSegmentWriters } from '../../monitor/worker/segment-writers.ts'
import { SegmentSpans } from './segment-spans.ts'
import { makeWholeTraceStore } from './store-whole-traces.ts'
import type { WholeTraceRows } from './whole-traces.ts'

const workspaceId = defaultWorkspaceId
const logger = pino({ level: 'silent' })
const rowContext = { overrides: [], templates: createTemplateCache() }
const now = new Date('2025-11-22T12:00:00Z')

let place: Place
let control: ControlStore
let store: TraceStore
before(async () => {
  place = await engines[0]!.emptyPlace()
  control = await openControlStore(place.location)
  store = await openTestTraceStore()
})
after(async () => {
  await store.close()
  await control.close()
  await place.remove()
})

/** A segment with one export that contains these traces. */
function segmentOf(...numbers: readonly number[]) {
  const spans = new SegmentSpans({ makesWholeTraces: true, liveRates: {}, writers: makeSegmentWriters() })
  const exported = numbers.flatMap((number) => [
    jsonSpan({ traceId: idOf(number, 16), spanId: idOf(1, 8) }),
    jsonSpan({
      traceId: idOf(number, 16),
      spanId: idOf(2, 8),
      parentSpanId: idOf(1, 8),
      attributes: generationAttributes(100, 10),
    }),
  ])
  const accepted = {
    ...({ type: 'spans', signal: 'traces', encoding: 'json', resolved: [], resolvedOf: [] } as const),
    ...{ workspaceId, apiKeyId: 'key', receivedAtMs: now.getTime(), recordId: 'record' },
  }
  spans.append(accepted, Buffer.from(JSON.stringify(jsonExport(exported))))
  spans.whole!.makeRows(() => rowContext)
  return { arrivals: spans.arrivals(), rows: spans.whole!.take(), spans: Buffer.from(spans.take()) }
}

const wholeTraces = (assemblyStore: Pick<ControlStore['assemblies'], 'find' | 'addWhole'>) =>
  makeWholeTraceStore({
    assemblyStore,
    store,
    refusedRecords: { keep: async () => assert.fail(), remove: async () => 0, countBatches: async () => 0 },
    countNotUnderstood: () => {},
    onStored: () => {},
    logger,
    now: () => now,
  })

const idsOf = (rows: WholeTraceRows): string[] =>
  rows.entries.flatMap(({ traces }) => traces.map(({ traceId }) => traceId))

/** The sums of the roll-ups, and of the tables. */
async function measure(ids: readonly string[]) {
  const query = { measures: ['traces', 'logs', 'inputTokens'], dimensions: [] } as const
  const [sums] = await store.scopedTo(workspaceId).measure({ ...query, filters: {} })
  const traces = await Promise.all(ids.map((id) => store.scopedTo(workspaceId).find(id)))
  return { sums: { ...sums }, logs: traces.map((trace) => trace?.logs.length) }
}

test('a whole trace is stored with its sums, and after a crash again under the same token', async () => {
  const { rows, arrivals } = segmentOf(1, 2)
  const crashing = wholeTraces({
    find: control.assemblies.find,
    addWhole: () => Promise.reject(new Error('killed')),
  })
  await assert.rejects(crashing.add('segment 1', rows, arrivals), /killed/)
  assert.deepEqual(await wholeTraces(control.assemblies).add('segment 1', rows, arrivals), [])
  // The segment is drained again if the process dies before it is removed.
  const repeated = await wholeTraces(control.assemblies).add('segment 1', rows, arrivals)
  assert.deepEqual(repeated, arrivals, 'the assembler compares them with what is stored')
  assert.deepEqual(await measure(idsOf(rows)), {
    sums: { traces: 2, logs: 4, inputTokens: 200 },
    logs: [2, 2],
  })
  const assemblies = await control.assemblies.find(rows.entries)
  assert.deepEqual(
    assemblies.map(({ otelTraceId, digest, dueAtMs, traces }) => ({
      ...{ otelTraceId, digest, dueAtMs, traces },
    })),
    rows.entries.map(({ otelTraceId, digest, traces }) => ({
      ...{ otelTraceId, digest, traces: [...traces] },
      dueAtMs: undefined,
    })),
  )
})

test('among several traces, one that the assembler knows is left to it', async () => {
  const { rows, arrivals } = segmentOf(3, 4)
  await control.assemblies.addArrivals([arrivals[0]!], now)
  assert.deepEqual(await wholeTraces(control.assemblies).add('segment 2', rows, arrivals), [arrivals[0]])
  const [first, second] = idsOf(rows) as [string, string]
  await eventually(async () => assert.equal((await store.scopedTo(workspaceId).find(second))?.logs.length, 2))
  assert.equal(await store.scopedTo(workspaceId).find(first), undefined)
})
