import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import type { LogRow, ScoreRow, TraceRow } from '../rows/row-types.ts'
import type { TraceStore } from '../store.ts'
import { batchOf, openTestTraceStore, testLog, testScore, testTrace } from '../testing/testing.ts'

describe('versions of a prompt', () => {
  let store: TraceStore
  before(async () => {
    store = await openTestTraceStore()
  })
  after(() => store.close())

  const insert = (traces: readonly TraceRow[], logs: readonly LogRow[], scores: readonly ScoreRow[] = []) =>
    store.insert(batchOf({ traces, logs, scores }))
  const use = { slug: 'greeting', fromUs: 1_000_000n, toUs: 9_000_000n }
  const call = (trace: TraceRow, version: string, fields: Partial<LogRow> = {}): LogRow =>
    testLog(trace, { type: 'generation', promptSlug: 'greeting', promptVersion: version, ...fields })

  test('are summed by user, and a trace without a user counts as its own user', async () => {
    const workspaceId = randomUUID()
    const trace = (userId: string | null) => testTrace({ workspaceId, userId, startUs: 2_000_000n })
    const [ada, again, bob, nobody, other] = [
      trace('ada'),
      trace('ada'),
      trace('bob'),
      trace(null),
      trace(null),
    ]
    await insert(
      [ada, again, bob, nobody, other],
      [
        call(ada, '1', {
          costInTotals: 1,
          durationUs: 1000n,
          hasError: true,
          inputTokens: 2,
          outputTokens: 1,
        }),
        call(again, '1', { costInTotals: 2, durationUs: 3000n }),
        call(bob, '1', { costInTotals: 5 }),
        // The agent around it reports the cost.
        call(nobody, '1', { cost: 3, costEstimate: 3, costInTotals: 0 }),
        call(other, '2', { costInTotals: 4 }),
        call(other, '3', { costInTotals: 4, logId: 'not asked for' }),
      ],
    )
    const sums = await store.scopedTo(workspaceId).versionSums(use, ['1', '2'])
    const [first, second] = sums.toSorted((a, another) => a.version.localeCompare(another.version))
    assert.deepEqual([first?.calls, first?.traces, first?.users], [4, 4, 3])
    assert.deepEqual([first?.p50DurationMs, first?.p95DurationMs], [2, 2.9])
    // Ada has two calls for 3, Bob one for 5; users without a cost do not count.
    assert.deepEqual(first?.measures.cost, {
      users: 2,
      count: 3,
      sum: 8,
      countVariance: 0.5,
      sumVariance: 2,
      covariance: -1,
    })
    assert.deepEqual([first.measures.errorRate.count, first.measures.errorRate.sum], [4, 1])
    assert.deepEqual([first.measures.tokens.count, first.measures.tokens.sum], [1, 3])
    assert.deepEqual(second?.measures.cost, {
      users: 1,
      count: 1,
      sum: 4,
      countVariance: null,
      sumVariance: null,
      covariance: null,
    })
  })

  test('have the last scores of their logs, and of traces that used no other version', async () => {
    const workspaceId = randomUUID()
    const [single, both] = [
      testTrace({ workspaceId, startUs: 2_000_000n }),
      testTrace({ workspaceId, startUs: 2_000_000n }),
    ]
    await insert(
      [single, both],
      [call(single, '1'), call(both, '1', { logId: 'a' }), call(both, '2', { logId: 'b' })],
      [
        testScore(single, { value: false, createdAtMs: 1000 }),
        testScore(single, { value: true, createdAtMs: 2000 }),
        testScore(both, { value: false }),
        testScore(both, { logId: 'b', value: true }),
        testScore(both, { logId: 'b', name: 'tone', value: 0.25 }),
        testScore(both, { logId: 'b', name: 'words', value: 'kind' }),
      ],
    )
    const scores = await store.scopedTo(workspaceId).versionScores(use, ['1', '2'])
    assert.deepEqual(
      scores.map(({ version, name, isBoolean, sums }) => [version, name, isBoolean, sums.count, sums.sum]),
      [
        ['1', 'accuracy', true, 1, 1],
        ['2', 'accuracy', true, 1, 1],
        ['2', 'tone', false, 1, 0.25],
      ],
    )
  })

  test('list which key used them when, within the requested time range', async () => {
    const workspaceId = randomUUID()
    const makeTrace = (startUs: bigint, apiKeyId: string) => testTrace({ workspaceId, startUs, apiKeyId })
    const [early, first, last, others] = [
      makeTrace(999_999n, 'k'),
      makeTrace(1_000_000n, 'k'),
      makeTrace(8_999_999n, 'k'),
      makeTrace(2_000_000n, 'l'),
    ]
    await insert(
      [early, first, last, others],
      [
        ...[early, first, last, others].map((trace) => call(trace, '1')),
        call(first, '1', { logId: 'again' }),
        call(others, '2', { logId: 'other', promptSlug: 'another' }),
      ],
    )
    assert.deepEqual(await store.scopedTo(workspaceId).versionUses(use), [
      { version: '1', apiKeyId: 'k', traces: 2, firstUs: 1_000_000n, lastUs: 8_999_999n },
      { version: '1', apiKeyId: 'l', traces: 1, firstUs: 2_000_000n, lastUs: 2_000_000n },
    ])
    assert.deepEqual(await store.scopedTo(randomUUID()).versionUses(use), [])
  })
})
