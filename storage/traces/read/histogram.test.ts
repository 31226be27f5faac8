import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { judgesFeature } from '@plumbline/contract'
import fc from 'fast-check'
import { propertyRuns } from '../../../fixtures/property-runs.ts'
import type { TraceRow } from '../rows/row-types.ts'
import type { TraceStore } from '../store.ts'
import { replacementOf } from '../testing/replacements.ts'
import { batchOf, openTestTraceStore, testLog, testTrace } from '../testing/testing.ts'
import type { HistogramBucket, StoreCondition, TraceFilters } from '../types.ts'

const minuteUs = 60_000_000n
const hourUs = 60n * minuteUs
const startUs = BigInt(Date.parse('2026-03-01T12:00:00Z')) * 1000n
const workspaceId = randomUUID()
const features = [null, 'chat', 'search', judgesFeature]

let store: TraceStore
/** The traces after some have been replaced and some deleted. */
let traces: readonly TraceRow[]

before(async () => {
  store = await openTestTraceStore()
  const recorded = Array.from({ length: 240 }, (_, index) =>
    testTrace({
      workspaceId,
      // Nine days with traces in every hour; the first and last hours are partial.
      startUs: startUs + BigInt((index * 7919) % 12_960) * minuteUs + 61_000_000n,
      name: ['deleted', 'expired'][index % 12] ?? 'kept',
      featureSlug: features[index % 4]!,
      // Sums of these values are exact in any order.
      cost: index % 3 === 0 ? null : index / 128,
      errors: index % 5 === 0 ? 2 : 0,
    }),
  )
  const withLog = (trace: TraceRow) => ({ trace, logs: [testLog(trace)] })
  await store.insert(batchOf({ traces: recorded, logs: recorded.map((trace) => testLog(trace)) }))
  const late = recorded.slice(0, 20).map((trace, index) => ({
    ...trace,
    startUs: trace.startUs - 90n * minuteUs,
    cost: index / 4,
    errors: index % 2,
  }))
  await store.replace(replacementOf(late.map(withLog), recorded.slice(0, 20).map(withLog)))
  await deleteNamed('deleted', false)
  traces = [...late, ...recorded.slice(20)].filter(({ name }) => name !== 'deleted')
})
after(() => store.close())

async function deleteNamed(name: string, keepsSums: boolean): Promise<void> {
  const filters = { where: [{ field: 'name', is: [name] }] }
  const selection = { workspaceId, type: 'filters', filters, untilMs: Date.now() + 60_000 } as const
  const slice = await store.planSlice(selection, { limit: 300 })
  await store.deleteSlice(workspaceId, { traces: slice!.traces, token: name, keepsSums })
}

const conditions: readonly { where: readonly StoreCondition[]; matches: (trace: TraceRow) => boolean }[] = [
  { where: [], matches: ({ featureSlug }) => featureSlug !== judgesFeature },
  { where: [{ field: 'feature', is: ['chat'] }], matches: ({ featureSlug }) => featureSlug === 'chat' },
  {
    where: [{ field: 'feature', not: ['chat'] }],
    matches: ({ featureSlug }) => featureSlug !== 'chat' && featureSlug !== judgesFeature,
  },
  {
    where: [{ field: 'feature', is: [judgesFeature] }],
    matches: ({ featureSlug }) => featureSlug === judgesFeature,
  },
  {
    where: [{ field: 'hasError', is: ['true'] }],
    matches: ({ errors, featureSlug }) => errors > 0 && featureSlug !== judgesFeature,
  },
]

/** Traces that start later than the end count in the last bucket. */
function count(rows: readonly TraceRow[], widthUs: bigint, toUs?: bigint): HistogramBucket[] {
  const groups = Map.groupBy(rows, (trace) => {
    const us = toUs !== undefined && trace.startUs >= toUs ? toUs - 1n : trace.startUs
    return us - (us % widthUs)
  })
  return [...groups]
    .map(([bucketUs, group]) => {
      const costs = group.flatMap(({ cost }) => cost ?? [])
      return {
        startUs: bucketUs,
        traces: group.length,
        failed: group.filter(({ errors }) => errors > 0).length,
        cost: costs.length === 0 ? null : costs.reduce((sum, cost) => sum + cost, 0),
      }
    })
    .sort((a, b) => (a.startUs < b.startUs ? -1 : 1))
}

const minutes = fc.integer({ min: -120, max: 13_100 })
const end = fc.option(minutes, { nil: undefined })

const countsWhatMatches = (): Promise<void> =>
  fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...conditions),
      fc.constantFrom(30n * minuteUs, hourUs, 6n * hourUs, 24n * hourUs),
      end,
      end,
      fc.boolean(),
      async ({ where, matches }, widthUs, first, last, includesLater) => {
        const fromUs = first === undefined ? undefined : startUs + BigInt(first) * minuteUs
        const toUs = last === undefined ? undefined : startUs + BigInt(last) * minuteUs
        const filters: TraceFilters = { where, fromUs, toUs }
        const expected = traces.filter(
          (trace) =>
            matches(trace) &&
            (fromUs === undefined || trace.startUs >= fromUs) &&
            (toUs === undefined || trace.startUs < toUs || includesLater),
        )
        const histogram = await store
          .scopedTo(workspaceId)
          .histogram(filters, { chooseWidth: () => widthUs, includesLater })
        const buckets = (histogram?.buckets ?? []).map((bucket) => ({
          startUs: bucket.startUs,
          traces: bucket.traces,
          failed: bucket.failed,
          cost: bucket.cost,
        }))
        // A range that ends before it begins has no buckets.
        if (fromUs !== undefined && toUs !== undefined && toUs <= fromUs) return assert.deepEqual(buckets, [])
        const starts = expected
          .map((trace) => (toUs !== undefined && trace.startUs >= toUs ? toUs - 1n : trace.startUs))
          .sort((a, b) => (a < b ? -1 : 1))
        assert.deepEqual(buckets, count(expected, widthUs, toUs))
        if (expected.length === 0 || histogram === undefined) return
        const range = { firstUs: fromUs ?? starts[0], lastUs: toUs === undefined ? starts.at(-1) : toUs - 1n }
        assert.deepEqual(histogram.range, range)
      },
    ),
    propertyRuns(60),
  )

test('a histogram counts the matching traces, whether it reads hourly sums or traces', countsWhatMatches)

test('expired traces stay in the sums but not in a histogram', async () => {
  await deleteNamed('expired', true)
  traces = traces.filter(({ name }) => name !== 'expired')
  await countsWhatMatches()
})

test('judge calls are counted if a filter requests them, even if nothing else was recorded', async () => {
  const other = randomUUID()
  await store.insert(
    batchOf({ traces: [testTrace({ workspaceId: other, startUs, featureSlug: judgesFeature })] }),
  )
  const histogramOf = (where: readonly StoreCondition[]) =>
    store.scopedTo(other).histogram({ where }, { chooseWidth: () => 24n * hourUs })
  assert.equal(await histogramOf([]), undefined)
  const histogram = await histogramOf([{ field: 'feature', is: [judgesFeature] }])
  assert.deepEqual(
    histogram?.buckets.map(({ traces }) => traces),
    [1],
  )
})
