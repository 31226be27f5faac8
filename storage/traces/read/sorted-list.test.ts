import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import type { TraceSort } from '@plumbline/contract'
import type { TraceRow } from '../rows/row-types.ts'
import type { TraceStore } from '../store.ts'
import { batchOf, openTestTraceStore, testTrace, testTraceId } from '../testing/testing.ts'
import type { SortedPosition } from '../types.ts'

const workspaceId = randomUUID()
const startUs = BigInt(Date.parse('2026-03-01T12:00:00Z')) * 1000n
const receivedMs = Number(startUs / 1000n)
/** Neighbours, equal ones, very large and small ones, and several that are unknown. */
const costs = [
  ...[null, 0.1 + 0.2, 0.3, 0.3, null, 0, -0, 5e-324, 1e300, 1e299, null, 0.3, 2, 1e-10, 2e-10],
  ...[null, 0.30000000000000004, 123_456_789.123_456_78, 123_456_789.123_456_79],
]

let store: TraceStore
let traces: readonly TraceRow[]

before(async () => {
  store = await openTestTraceStore()
  traces = costs.map((cost, index) =>
    testTrace({
      workspaceId,
      traceId: testTraceId(receivedMs + (index >> 2)),
      // Two start at the same instant.
      startUs: startUs + BigInt(index >> 1),
      cost,
      durationUs: cost === null ? null : BigInt(index % 4),
      inputTokens: index % 3,
      outputTokens: 0.5,
      errors: index % 2,
    }),
  )
  await store.insert(batchOf({ traces }))
})
after(() => store.close())

const values: Readonly<Record<TraceSort, (trace: TraceRow) => number | null>> = {
  start: (trace) => Number(trace.startUs),
  received: ({ traceId }) => Number.parseInt(traceId.replace('-', '').slice(0, 12), 16),
  cost: ({ cost }) => cost,
  duration: ({ durationUs }) => (durationUs === null ? null : Number(durationUs)),
  tokens: ({ inputTokens, outputTokens }) => inputTokens + outputTokens,
  errors: ({ errors }) => errors,
}

const compare = <Value extends number | bigint | string>(first: Value, second: Value): number =>
  first < second ? -1 : first > second ? 1 : 0

for (const sort of Object.keys(values) as TraceSort[])
  for (const isAscending of [true, false])
    for (const limit of [1, 3])
      test(`pages of ${limit}, ${isAscending ? 'the lowest' : 'the highest'} ${sort} first, have each trace once, unknown values as the lowest`, async () => {
        const read = values[sort]
        const expected = traces.toSorted(
          (first, second) =>
            compare(read(first) ?? Number.NEGATIVE_INFINITY, read(second) ?? Number.NEGATIVE_INFINITY) ||
            compare(first.startUs, second.startUs) ||
            compare(first.traceId, second.traceId),
        )
        if (!isAscending) expected.reverse()
        const ids: string[] = []
        let position: SortedPosition | undefined
        do {
          const page = await store
            .scopedTo(workspaceId)
            .listSorted({}, { limit, sort, isAscending, before: position })
          ids.push(...page.traces.map(({ traceId }) => traceId))
          position = page.next
        } while (position !== undefined && ids.length <= traces.length)
        assert.deepEqual(
          ids,
          expected.map(({ traceId }) => traceId),
        )
      })
