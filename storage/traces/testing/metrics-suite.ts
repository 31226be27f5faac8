/** Sums over traces on either engine. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { propertyRuns } from '../../../fixtures/property-runs.ts'
import type { ScoreRow, TraceRow } from '../rows/row-types.ts'
import type { TraceStore } from '../store.ts'
import { suiteStore } from './suite-store.ts'
import { testLog, testScore, testTrace } from './testing.ts'

const isThorough = propertyRuns(1).numRuns > 1

/** On servers the statements are the same: there some ranges show that parameters work. */
export function testMetrics(current: () => TraceStore, { isOnServers = false } = {}): void {
  const { insert, read, listed, measured } = suiteStore(current)

  test('a mean over hours whose single sums fit in 64 bits equals that of the rows', async () => {
    const workspaceId = randomUUID()
    const traces = Array.from({ length: 40 }, (_, index) =>
      testTrace({
        workspaceId,
        startUs: BigInt(index) * 3_600_000_000n,
        durationUs: 300_000_000_000_000_000n,
      }),
    )
    await insert({ traces })
    for (const granularity of [undefined, 'minute'] as const) {
      const rows = await measured(workspaceId, {
        measures: ['avgDurationMs'],
        ...(granularity && { granularity }),
      })
      for (const row of rows) assert.equal(row.avgDurationMs, 3e14)
    }
  })

  test('measures agree with sums over the rows', async () => {
    const workspaceId = randomUUID()
    const hourUs = 3_600_000_000n
    const traces = Array.from({ length: 40 }, (_, index) =>
      testTrace({
        workspaceId,
        startUs: BigInt(index - 20) * (hourUs / 4n),
        featureSlug: index % 3 === 0 ? null : `f${index % 3}`,
        userId: `u${index % 5}`,
        durationUs: BigInt(index) * 1000n,
        errors: index % 4 === 0 ? 2 : 0,
        cost: index % 2 === 0 ? index / 8 : null,
        inputTokens: index,
        outputTokens: 1,
        logCount: 2,
        name: `n${index % 2}`,
        metadata: JSON.stringify({ plan: index % 2 === 0 ? 'pro' : 'free' }),
      }),
    )
    const logs = traces.flatMap((trace, index) => [
      testLog(trace, {
        logId: 'a',
        type: 'generation',
        model: `m${index % 2}`,
        // As from a client that knows no prices: it sent 0, and sums use the estimate.
        cost: 0,
        costEstimate: index,
        costInTotals: index,
        inputTokens: 3,
        durationUs: 4000n,
      }),
      testLog(trace, {
        logId: 'b',
        position: 1,
        type: 'generation',
        model: `m${index % 2}`,
        cost: index,
        inputTokens: 3,
        countsInTotals: false,
        hasError: true,
      }),
    ])
    const scores = traces.map((trace, index) =>
      testScore(trace, {
        name: `s${index % 2}`,
        value: index % 4 === 0,
        logId: index < 10 ? 'a' : null,
        ...(index % 2 === 0 && { evaluatorSlug: 's0', evaluatorVersion: index < 20 ? '1' : '2', cost: 0.5 }),
      }),
    )
    await insert({ traces, logs, scores })
    const sum = (rows: TraceRow[], read: (row: TraceRow) => number): number =>
      rows.reduce((total, row) => total + read(row), 0)

    const hours = await measured(workspaceId, {
      measures: ['traces', 'errors', 'cost', 'totalTokens', 'avgDurationMs', 'errorRate'],
      dimensions: ['feature'],
      granularity: 'hour',
    })
    const minutes = await measured(workspaceId, { measures: ['traces'], granularity: 'minute' })
    assert.equal(minutes.length, 40)
    assert.equal(minutes[0]?.time, '1969-12-31T19:00:00.000000Z')
    for (const row of hours) {
      const from = BigInt(Date.parse(String(row.time))) * 1000n
      const own = traces.filter(
        (trace) =>
          trace.startUs >= from && trace.startUs < from + hourUs && trace.featureSlug === row.feature,
      )
      const costs = own.filter((trace) => trace.cost !== null)
      assert.deepEqual(
        {
          traces: row.traces,
          errors: row.errors,
          cost: row.cost,
          totalTokens: row.totalTokens,
          avg: row.avgDurationMs,
          errorRate: row.errorRate,
        },
        {
          traces: own.length,
          errors: sum(own, (trace) => trace.errors),
          cost: costs.length === 0 ? null : sum(costs, (trace) => trace.cost ?? 0),
          totalTokens: sum(own, (trace) => trace.inputTokens + trace.outputTokens),
          avg: sum(own, (trace) => Number(trace.durationUs) / 1000) / own.length,
          errorRate: own.filter((trace) => trace.errors > 0).length / own.length,
        },
      )
    }
    assert.equal(
      sum(traces, () => 1),
      hours.reduce((total, row) => total + Number(row.traces), 0),
    )

    const even = sum(
      traces.filter((_, index) => index % 2 === 0),
      (trace) => traces.indexOf(trace),
    )
    for (const where of [[], [{ field: 'durationMs', min: 0 }]]) {
      const [byModel] = await measured(workspaceId, {
        measures: ['cost', 'inputTokens', 'logs', 'errors', 'generations', 'avgDurationMs'],
        dimensions: ['model'],
        filters: { where },
      })
      assert.deepEqual(byModel, {
        model: 'm0',
        cost: even,
        inputTokens: 60,
        logs: 40,
        errors: 20,
        generations: 40,
        avgDurationMs: 4,
      })
      const [ofModel] = await measured(workspaceId, {
        measures: ['cost', 'traces'],
        filters: { where: [...where, { field: 'model', is: ['m0'], isOfLog: true }] },
      })
      assert.deepEqual(ofModel, { cost: even, traces: 20 })
    }
    assert.deepEqual(
      await measured(workspaceId, {
        measures: ['users', 'generations', 'p50DurationMs', 'p99DurationMs', 'scores', 'avgScore'],
      }),
      [{ users: 5, generations: 80, p50DurationMs: 19.5, p99DurationMs: 38.61, scores: 40, avgScore: 0.25 }],
    )
    assert.deepEqual(
      await measured(workspaceId, {
        measures: ['traces', 'generations'],
        dimensions: ['metadata.plan', 'name'],
      }),
      [
        { 'metadata.plan': 'free', name: 'n1', traces: 20, generations: 40 },
        { 'metadata.plan': 'pro', name: 'n0', traces: 20, generations: 40 },
      ],
    )
    assert.deepEqual(
      await measured(workspaceId, { measures: ['scores', 'avgScore', 'cost'], dimensions: ['scoreName'] }),
      [
        { scoreName: 's0', scores: 20, avgScore: 0.5, cost: null },
        { scoreName: 's1', scores: 20, avgScore: 0, cost: null },
      ],
    )
    assert.deepEqual(
      await measured(workspaceId, {
        measures: ['scores', 'scoreCost', 'cost'],
        dimensions: ['scoreName', 'evaluatorVersion'],
      }),
      [
        { scoreName: 's0', evaluatorVersion: '1', scores: 10, scoreCost: 5, cost: null },
        { scoreName: 's0', evaluatorVersion: '2', scores: 10, scoreCost: 5, cost: null },
        { scoreName: 's1', evaluatorVersion: null, scores: 20, scoreCost: null, cost: null },
      ],
    )
    assert.deepEqual(await measured(workspaceId, { measures: ['scoreCost', 'traces'] }), [
      { scoreCost: 10, traces: 40 },
    ])
    assert.deepEqual(
      await measured(workspaceId, {
        measures: ['scores'],
        filters: { where: [{ field: 'model', is: ['m1'], isOfLog: true }] },
      }),
      [{ scores: 5 }],
    )
    assert.deepEqual(
      await measured(workspaceId, {
        measures: ['scores', 'traces'],
        dimensions: ['scoreName', 'model'],
        filters: { where: [{ field: 'type', is: ['generation'], isOfLog: true }] },
      }),
      [
        { scoreName: 's0', model: 'm0', scores: 5, traces: 5 },
        { scoreName: 's1', model: 'm1', scores: 5, traces: 5 },
      ],
    )
    const [ranged] = await measured(workspaceId, { measures: ['traces'], fromUs: 0n, toUs: hourUs })
    assert.deepEqual(ranged, { traces: 4 })
    const weeks = await measured(workspaceId, { measures: ['traces'], granularity: 'week' })
    assert.deepEqual(weeks, [{ time: '1969-12-29T00:00:00.000000Z', traces: 40 }])
    const months = await measured(workspaceId, { measures: ['traces'], granularity: 'month' })
    assert.deepEqual(months, [
      { time: '1969-12-01T00:00:00.000000Z', traces: 20 },
      { time: '1970-01-01T00:00:00.000000Z', traces: 20 },
    ])
  })

  test('a range that begins and ends within an hour has the sums of its own traces only', async () => {
    const workspaceId = randomUUID()
    const minuteUs = 60_000_000n
    // From three hours before 1970 to three hours after, with some at the very edges of hours.
    const traces = Array.from({ length: 73 }, (_, index) =>
      testTrace({
        workspaceId,
        startUs: BigInt(index - 36) * 5n * minuteUs,
        featureSlug: index % 3 === 0 ? null : `f${index % 3}`,
        durationUs: BigInt(index) * 1000n,
        errors: index % 4 === 0 ? 2 : 0,
        cost: index % 5 === 0 ? null : index / 8,
        inputTokens: index,
        logCount: 1,
      }),
    )
    const logs = traces.map((trace, index) =>
      testLog(trace, {
        type: index % 2 === 0 ? 'generation' : 'tool',
        model: index % 7 === 0 ? null : `m${index % 2}`,
        inputTokens: index,
        countsInTotals: index % 3 !== 0,
        costInTotals: index % 5 === 0 ? null : index / 16,
        hasError: index % 4 === 0,
        durationUs: BigInt(index) * 500n,
      }),
    )
    await insert({ traces, logs })
    const doomed = traces.filter((_, index) => index % 10 === 1)
    await current().deleteSlice(workspaceId, {
      traces: doomed.map(({ traceId, startUs }) => ({ traceId, startUs, otelTraceId: '' })),
      token: randomUUID(),
      keepsSums: false,
    })
    const queries = [
      { measures: ['traces', 'errors', 'errorRate', 'cost', 'totalTokens', 'avgDurationMs', 'logs'] },
      { measures: ['cost', 'generations', 'avgDurationMs'], dimensions: ['model'], granularity: 'day' },
      { measures: ['traces', 'cost'], dimensions: ['feature'], granularity: 'hour' },
    ] as const
    const ranges: readonly (readonly [start: bigint | undefined, end: bigint | undefined])[] = [
      [-170n, 175n],
      [-170n, 120n],
      [-120n, 115n],
      [-5n, undefined],
      [undefined, 61n],
      [1n, 59n],
      [-61n, 61n],
      [55n, 65n],
      [60n, 60n],
    ]
    for (const query of queries)
      for (const [from, to] of isOnServers && !isThorough ? ranges.slice(0, 2) : ranges) {
        const range = {
          ...(from !== undefined && { fromUs: from * minuteUs }),
          ...(to !== undefined && { toUs: to * minuteUs }),
        }
        // Sums are not grouped by name, so this filter makes the query read the rows.
        const where = [{ field: 'name', is: [traces[0]!.name] }]
        assert.deepEqual(
          await measured(workspaceId, { ...query, ...range }),
          await measured(workspaceId, { ...query, ...range, filters: { where } }),
          `${query.measures.join()} from ${from} to ${to}`,
        )
      }
  })

  test('names of users and customers select traces even if logs are measured', async () => {
    const workspaceId = randomUUID()
    const traces = [
      testTrace({
        workspaceId,
        userId: 'u1',
        userName: 'Ann',
        organizationId: 'o1',
        organizationName: 'Acme',
      }),
      testTrace({ workspaceId, userId: 'u2', userName: 'Bob' }),
    ]
    await insert({
      traces,
      logs: traces.map((trace) =>
        testLog(trace, {
          type: 'generation',
          model: 'm',
          userId: trace.userId,
          organizationId: trace.organizationId,
        }),
      ),
    })
    for (const condition of [
      { field: 'user', named: ['ann'] },
      { field: 'organization', named: ['ACM', 'nobody'] },
    ]) {
      const filters = { where: [condition] }
      assert.deepEqual(await measured(workspaceId, { measures: ['generations'], filters }), [
        { generations: 1 },
      ])
      assert.deepEqual(
        await measured(workspaceId, { measures: ['traces', 'logs'], dimensions: ['model'], filters }),
        [{ model: 'm', traces: 1, logs: 1 }],
      )
    }
  })

  test('totals by environment, release and tag are those of the traces, for traces and for logs', async () => {
    const workspaceId = randomUUID()
    const traces = Array.from({ length: 12 }, (_, index) =>
      testTrace({
        workspaceId,
        startUs: BigInt(index) * 600_000_000n,
        environment: index % 3 === 0 ? null : `e${index % 3}`,
        release: `r${index % 2}`,
        tags: index % 4 === 0 ? [] : ['all', `t${index % 4}`, 'all'],
        sessionId: `s${index % 6}`,
        cost: index,
        logCount: 1,
      }),
    )
    const logs = traces.map((trace, index) =>
      testLog(trace, {
        type: 'generation',
        model: `m${index % 2}`,
        costInTotals: index,
        // Invalid values are stored but left out.
        timeToFirstTokenMs: index === 0 ? -5 : index === 1 ? null : index * 10,
      }),
    )
    await insert({ traces, logs, scores: traces.map((trace) => testScore(trace, { value: 1 })) })
    const tags = (trace: TraceRow): (string | null)[] =>
      trace.tags.length === 0 ? [null] : [...new Set(trace.tags)]
    const dimensions = {
      environment: (trace: TraceRow) => [trace.environment],
      release: (trace: TraceRow) => [trace.release],
      session: (trace: TraceRow) => [trace.sessionId],
      tag: tags,
    }
    for (const [name, valuesOf] of Object.entries(dimensions)) {
      const expected = new Map<string | null, { traces: number; cost: number }>()
      for (const trace of traces)
        for (const value of valuesOf(trace)) {
          const { traces: count, cost } = expected.get(value) ?? { traces: 0, cost: 0 }
          expected.set(value, { traces: count + 1, cost: cost + trace.cost! })
        }
      for (const where of [[], [{ field: 'type', is: ['generation'], isOfLog: true }]]) {
        const rows = await measured(workspaceId, {
          measures: ['traces', 'cost', 'generations', 'scores'],
          dimensions: [name as keyof typeof dimensions],
          ...(where.length > 0 && { filters: { where } }),
        })
        assert.deepEqual(
          new Map(rows.map((row) => [row[name], { traces: row.traces, cost: row.cost }])),
          expected,
          name,
        )
        for (const row of rows) assert.equal(row.generations, row.traces)
      }
    }
    for (const [field, value] of [
      ['environment', 'e1'],
      ['release', 'r0'],
      ['tag', 't2'],
      ['session', 's2'],
    ] as const) {
      const matching = traces.filter((trace) => dimensions[field](trace).includes(value))
      const filters = { where: [{ field, is: [value] }] }
      assert.deepEqual(
        await measured(workspaceId, { measures: ['traces', 'logs', 'cost', 'scores'], filters }),
        [
          {
            traces: matching.length,
            logs: matching.length,
            cost: matching.reduce((sum, { cost }) => sum + cost!, 0),
            scores: matching.length,
          },
        ],
      )
    }
    const [byModel] = await measured(workspaceId, {
      measures: ['avgTimeToFirstTokenMs', 'p50TimeToFirstTokenMs', 'generations'],
      dimensions: ['model', 'environment'],
      filters: {
        where: [
          { field: 'tag', not: ['t1'] },
          { field: 'timeToFirstTokenMs', min: 0 },
        ],
      },
    })
    // For m0 in e1: 4 and 10.
    assert.deepEqual(byModel, {
      model: 'm0',
      environment: 'e1',
      generations: 2,
      avgTimeToFirstTokenMs: 70,
      p50TimeToFirstTokenMs: 70,
    })
    assert.deepEqual(await measured(workspaceId, { measures: ['traces', 'p99TimeToFirstTokenMs'] }), [
      { traces: 12, p99TimeToFirstTokenMs: 109.1 },
    ])
  })

  test('traces that refer to an evaluator are counted by the origin of their sampling decision', async () => {
    const workspaceId = randomUUID()
    const makeTrace = (fields: Partial<TraceRow>) =>
      testTrace({
        workspaceId,
        judges: ['polite'],
        startUs: 5n,
        sampleRate: 0.5,
        sampledBy: 'trace',
        ...fields,
      })
    const traces = [
      makeTrace({ sampled: true }),
      makeTrace({}),
      makeTrace({ sampleRate: 1, sampledBy: 'evaluator:polite', sampled: true }),
      makeTrace({ judges: ['other'] }),
      makeTrace({ startUs: 10n }),
      makeTrace({ workspaceId: randomUUID() }),
    ]
    await insert({ traces, scores: [testScore(traces[0]!), ...[1, 1, 2].map(scoreOf)] })
    function scoreOf(version: number): ScoreRow {
      return testScore(traces[0]!, { evaluatorSlug: 'polite', evaluatorVersion: String(version) })
    }
    assert.deepEqual(await read(workspaceId).sampling('polite', { fromUs: 5n, toUs: 10n, ownRate: 1 }), [
      { rate: 0.5, sampledBy: 'trace', eligible: 2, drawn: 1 },
      { rate: 1, sampledBy: 'evaluator:polite', eligible: 1, drawn: 1 },
    ])
    assert.deepEqual(
      await listed(workspaceId, { where: [{ field: 'sampled', is: ['true'] }] }),
      [traces[0]!, traces[2]!].map(({ traceId }) => traceId).toReversed(),
    )
    assert.deepEqual(
      await read(workspaceId).scoresByVersion('polite'),
      new Map([
        [1, 2],
        [2, 1],
      ]),
    )
  })
}
