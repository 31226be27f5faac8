/** Lists of sessions, users and organizations on either engine, compared with sums that the test computes itself. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { type GroupSort, groupSorts } from '@plumbline/contract'
import { propertyRuns } from '../../../fixtures/property-runs.ts'
import type { GroupBy } from '../read/trace-groups.ts'
import type { TraceRow } from '../rows/row-types.ts'
import type { TraceStore } from '../store.ts'
import type { GroupPosition, TraceFilters, TraceGroup } from '../types.ts'
import { numbersFrom } from './seeded-numbers.ts'
import { sipHash64 } from './sip-hash.ts'
import { suiteStore } from './suite-store.ts'
import { testScore, testTrace, testTraceId } from './testing.ts'

/**
 * Traces of 40 sessions and as many users, some of whom have most of the traces. Many start at the same time, but never
 * within a session, so that first and last are well defined. Sums of costs and tokens are exact in floating point.
 */
function makeTraces(
  workspaceId: string,
  count: number,
  seed: number,
  { firstUs, stepUs } = { firstUs: 0n, stepUs: 1000n },
): TraceRow[] {
  const number = numbersFrom(seed)
  const chooseLow = (max: number): number => Math.min(number(max), number(max))
  const starts = new Set<string>()
  const traces: TraceRow[] = []
  while (traces.length < count) {
    const [session, moment] = [chooseLow(42), number(300)]
    const startUs = firstUs + BigInt(moment) * stepUs
    if (starts.has(`${session} ${startUs}`)) continue
    starts.add(`${session} ${startUs}`)
    // Users and organizations depend on the start: the latest trace of a group determines those of the group.
    const [user, organization] = [moment % 44, moment % 9]
    traces.push(
      testTrace({
        workspaceId,
        traceId: testTraceId(1_700_000_000_000 + number(10_000_000_000)),
        startUs,
        endUs: number(4) === 0 ? null : startUs + BigInt(number(5000)),
        sessionId: session === 40 ? '' : session === 41 ? null : `sitzung ${session}é`,
        userId: user === 42 ? '' : user === 43 ? null : `user-${user}`,
        userName: `name at ${startUs}`,
        organizationId: organization === 8 ? null : `org-${organization}`,
        organizationName: 'Fernhill',
        input: number(3) === 0 ? null : JSON.stringify(`question ${traces.length}`),
        output: number(3) === 0 ? null : JSON.stringify(`answer ${traces.length}`),
        inputTokens: number(50),
        outputTokens: number(50),
        cost: number(3) === 0 ? null : number(64) / 64,
        errors: number(4) === 0 ? 1 + number(2) : 0,
        tokensEstimated: number(20) === 0,
      }),
    )
  }
  return traces
}

const idOf: Readonly<Record<GroupBy, (trace: TraceRow) => string | null>> = {
  session_id: ({ sessionId }) => sessionId,
  user_id: ({ userId }) => userId,
  organization_id: ({ organizationId }) => organizationId,
}

const maxOf = (values: readonly bigint[]): bigint => values.reduce((a, b) => (a > b ? a : b))
const minOf = (values: readonly bigint[]): bigint => values.reduce((a, b) => (a < b ? a : b))
const countDistinct = (values: readonly (string | null)[]): number =>
  new Set(values.filter((value) => value !== null)).size

function sumGroup(groupBy: GroupBy, id: string, traces: readonly TraceRow[]): TraceGroup {
  const starts = traces.map(({ startUs }) => startUs)
  const lastUs = maxOf(starts)
  const newest = traces.find(({ startUs }) => startUs === lastUs)
  const costs = traces.flatMap(({ cost }) => cost ?? [])
  return {
    id,
    traces: traces.length,
    failed: traces.filter(({ errors }) => errors > 0).length,
    firstUs: minOf(starts),
    lastUs,
    endUs: maxOf(traces.map(({ startUs, endUs }) => endUs ?? startUs)),
    cost: costs.length === 0 ? null : costs.reduce((a, b) => a + b),
    tokens: traces.reduce((sum, { inputTokens, outputTokens }) => sum + inputTokens + outputTokens, 0),
    tokensEstimated: traces.some(({ tokensEstimated }) => tokensEstimated),
    ...(groupBy !== 'session_id' && { sessions: countDistinct(traces.map(({ sessionId }) => sessionId)) }),
    ...(groupBy === 'organization_id' && { users: countDistinct(traces.map(({ userId }) => userId)) }),
    userId: newest?.userId ?? null,
    userName: newest?.userName ?? null,
    organizationId: newest?.organizationId ?? null,
    organizationName: newest?.organizationName ?? null,
  }
}

const keyOf: Readonly<Record<GroupSort, (group: TraceGroup) => bigint>> = {
  last: ({ lastUs }) => lastUs,
  first: ({ firstUs }) => firstUs,
  traces: ({ traces }) => BigInt(traces),
  duration: ({ firstUs, endUs }) => endUs - firstUs,
  cost: ({ cost }) => (cost === null ? -1n : BigInt(Math.round(cost * 1e9))),
  tokens: ({ tokens }) => BigInt(tokens),
  errors: ({ failed }) => BigInt(failed),
  sessions: ({ sessions }) => BigInt(sessions ?? 1),
}

/** Groups in sort order, with ties in the order of the hashes of their ids. */
function groupsOf(
  traces: readonly TraceRow[],
  groupBy: GroupBy,
  sort: GroupSort,
  isAscending: boolean,
): TraceGroup[] {
  const groups = [...Map.groupBy(traces, (trace) => idOf[groupBy](trace) ?? '')]
    .filter(([id]) => id !== '')
    .map(([id, members]) => sumGroup(groupBy, id, members))
  const compare = (a: TraceGroup, b: TraceGroup): number =>
    Number(keyOf[sort](a) - keyOf[sort](b)) || (sipHash64(a.id) < sipHash64(b.id) ? -1 : 1)
  return groups.sort((a, b) => (isAscending ? compare(a, b) : compare(b, a)))
}

const everything: TraceFilters = {}

/** Filters with the traces that they match. */
const filtersToTry: readonly (readonly [TraceFilters, (trace: TraceRow) => boolean])[] = [
  [everything, () => true],
  [{ where: [{ field: 'errors', min: 1 }] }, ({ errors }) => errors > 0],
  [{ fromUs: 40_000n, toUs: 210_000n }, ({ startUs }) => startUs >= 40_000n && startUs < 210_000n],
  [{ where: [{ field: 'organization', is: ['org-3'] }] }, ({ organizationId }) => organizationId === 'org-3'],
  [{ q: 'question' }, ({ input }) => input !== null],
]

const isThorough = propertyRuns(1).numRuns > 1

/**
 * Grouping, filter and order contribute to a statement independently. So each grouping is tested with each order in one
 * direction and each filter in one order, and the next grouping with the others; the slow group tests all combinations.
 */
function isTried(options: {
  readonly groupIndex: number
  readonly filterIndex: number
  readonly sortIndex: number
  readonly isAscending: boolean
}): boolean {
  const { groupIndex, filterIndex, sortIndex, isAscending } = options
  if (isThorough) return true
  const isOfSort = filterIndex === 0 || sortIndex === (filterIndex + groupIndex) % 3
  return isOfSort && isAscending === ((filterIndex + sortIndex + groupIndex) % 2 === 0)
}

const allGroupings = ['session_id', 'user_id', 'organization_id'] as const

/** On servers the statements are the same: there one grouping shows that parameters and pages work. */
export function testGroups(current: () => TraceStore, { isOnServers = false } = {}): void {
  const { insert, read } = suiteStore(current)

  async function walk(
    workspaceId: string,
    groupBy: GroupBy,
    filters: TraceFilters,
    page: { readonly sort: GroupSort; readonly isAscending: boolean; readonly limit: number },
  ): Promise<TraceGroup[]> {
    const groups: TraceGroup[] = []
    let before: GroupPosition | undefined
    do {
      const { groups: some, next } = await read(workspaceId).groups(groupBy, filters, { ...page, before })
      assert.ok(some.length === page.limit || next === undefined)
      groups.push(...some)
      before = next
    } while (before !== undefined)
    return groups
  }

  async function fill(seed: number): Promise<{ workspaceId: string; traces: TraceRow[] }> {
    const workspaceId = randomUUID()
    const traces = makeTraces(workspaceId, 400, seed)
    // In two parts, where the second has old starts too.
    for (const part of [traces.slice(0, 250), traces.slice(250)]) await insert({ traces: part })
    const isDeleted = (index: number): boolean => index % 11 === 0
    const [doomed, rest] = [
      traces.filter((_, index) => isDeleted(index)),
      traces.filter((_, index) => !isDeleted(index)),
    ]
    await current().deleteSlice(workspaceId, {
      traces: doomed.map(({ traceId, startUs }) => ({ traceId, startUs, otelTraceId: '' })),
      token: randomUUID(),
      keepsSums: false,
    })
    return { workspaceId, traces: rest }
  }

  for (const [groupIndex, groupBy] of allGroupings.entries()) {
    if (isOnServers && !isThorough && groupBy !== 'user_id') continue
    test(`every page of groups by ${groupBy} has the sums of their traces, in each order and by each filter`, async () => {
      const { workspaceId, traces } = await fill(groupBy.length)
      for (const [filterIndex, [filters, isMatch]] of filtersToTry.entries()) {
        // All orders are tested without a filter, and some with one.
        const sorts = filters === everything ? groupSorts : (['last', 'first', 'cost'] as const)
        for (const [sortIndex, sort] of sorts.entries())
          for (const isAscending of [false, true]) {
            if (!isTried({ groupIndex, filterIndex, sortIndex, isAscending })) continue
            const groups = await walk(workspaceId, groupBy, filters, { sort, isAscending, limit: 23 })
            assert.deepEqual(
              groups,
              groupsOf(traces.filter(isMatch), groupBy, sort, isAscending),
              `${sort} ${isAscending ? 'ascending' : 'descending'}, ${JSON.stringify(filters.where ?? filters.q ?? 'by time')}`,
            )
          }
      }
    })
  }

  test('pages of the latest groups continue from the last day to earlier ones', async () => {
    const workspaceId = randomUUID()
    const minuteUs = 60_000_000n
    // 300 moments of the last 75 hours: each page begins within a day of the previous one, and some end beyond that
    // day.
    const firstUs = BigInt(Date.now()) * 1000n - 75n * 60n * minuteUs
    const traces = makeTraces(workspaceId, 120, 3, { firstUs, stepUs: 15n * minuteUs })
    await insert({ traces })
    for (const groupBy of ['user_id', 'session_id'] as const) {
      if (isOnServers && !isThorough && groupBy !== 'user_id') continue
      for (const limit of isThorough ? [2, 3, 7, 30] : [3, 30]) {
        const page = { sort: 'last', isAscending: false, limit } as const
        assert.deepEqual(await walk(workspaceId, groupBy, {}, page), groupsOf(traces, groupBy, 'last', false))
      }
    }
  })

  test('groups have the scores of their matching traces, and sessions the first and last texts of all their traces', async () => {
    const { workspaceId, traces } = await fill(5)
    const scores = traces.flatMap((trace, index) => [
      ...(index % 2 === 0 ? [testScore(trace, { value: index % 8 === 0 })] : []),
      ...(index % 3 === 0 ? [testScore(trace, { name: 'tone', value: 'rude' })] : []),
    ])
    await insert({ scores })
    const ids = [...new Set(traces.flatMap(({ sessionId }) => sessionId || []))]
    for (const [filters, isMatch] of filtersToTry) {
      const matching = new Map(
        traces.filter((trace) => isMatch(trace) && trace.sessionId).map((trace) => [trace.traceId, trace]),
      )
      const expected = Map.groupBy(
        scores.filter(({ traceId }) => matching.has(traceId)),
        ({ traceId }) => matching.get(traceId)?.sessionId ?? '',
      )
      const scoreGroups = await read(workspaceId).scoresOfGroups('session_id', filters, ids)
      assert.deepEqual([...scoreGroups.keys()].sort(), [...expected.keys()].sort())
      for (const [id, ofSession] of expected) {
        const yes = ofSession.filter(({ name }) => name === 'accuracy')
        const tones = ofSession.length - yes.length
        assert.deepEqual(scoreGroups.get(id), [
          ...(yes.length === 0
            ? []
            : [
                {
                  name: 'accuracy',
                  count: yes.length,
                  mean: yes.filter(({ value }) => value === true).length / yes.length,
                },
              ]),
          ...(tones === 0 ? [] : [{ name: 'tone', count: tones, mean: null }]),
        ])
      }
    }
    const sessions = Map.groupBy(traces, ({ sessionId }) => sessionId ?? '')
    const starts = ids.flatMap((id) => {
      const ofTurns = sessions.get(id)!.map(({ startUs }) => startUs)
      return [minOf(ofTurns), maxOf(ofTurns)]
    })
    const ends = await read(workspaceId).conversationEnds(ids)
    assert.deepEqual(await read(workspaceId).conversationEnds(ids, starts), ends)
    for (const [id, turns] of sessions) {
      if (id === '') continue
      const inOrder = turns.toSorted((a, b) => Number(a.startUs - b.startUs))
      assert.deepEqual(ends.get(id) ?? { firstInput: null, lastOutput: null }, {
        firstInput: inOrder.find(({ input }) => input !== null)?.input ?? null,
        lastOutput: inOrder.findLast(({ output }) => output !== null)?.output ?? null,
      })
    }
  })
}
