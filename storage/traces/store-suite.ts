/** What a trace store must do on either engine; `store.test.ts` and `store-over-http.test.ts` run it. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  encodeLogRow,
  encodeScoreRow,
  encodeTraceRow,
  type LogRow,
  type ScoreRow,
  type TraceRow,
} from './rows.ts'
import type { InsertBatch, InsertResult, MetricsQuery, TraceFilters, TraceStore } from './store.ts'
import { testLog, testScore, testTrace, testTraceId } from './testing.ts'

/** Objects with a prototype, as rows have one. */
const plain = <T>(model: { [K in keyof T]: fc.Arbitrary<T[K]> }): fc.Arbitrary<T> =>
  fc.record(model, { noNullPrototype: true })

type Records = { traces?: TraceRow[]; logs?: LogRow[]; scores?: ScoreRow[] }

function batchOf(
  { traces = [], logs = [], scores = [] }: Records,
  token: string = randomUUID(),
): InsertBatch {
  return {
    token,
    traces: Buffer.from(traces.map(encodeTraceRow).join('')),
    logs: Buffer.from(logs.map(encodeLogRow).join('')),
    scores: Buffer.from(scores.map(encodeScoreRow).join('')),
  }
}

export function testTraceStore(current: () => TraceStore): void {
  const insert = (records: Records, token?: string): Promise<InsertResult> =>
    current().insert(batchOf(records, token))
  const read = (workspaceId: string) => current().scopedTo(workspaceId)
  const listed = async (workspaceId: string, filters: TraceFilters): Promise<string[]> =>
    (await read(workspaceId).list(filters, { limit: 100 })).traces.map(({ traceId }) => traceId)
  const measured = (workspaceId: string, query: Partial<MetricsQuery> & Pick<MetricsQuery, 'measures'>) =>
    read(workspaceId).measure({ dimensions: [], filters: {}, ...query })

  test('a trace, its logs and its scores come back as they were inserted', async () => {
    const text = fc.string({ unit: 'binary' }).map((of) => of.toWellFormed())
    const json = fc.option(
      fc.jsonValue().map((of) => JSON.stringify(of)),
      { nil: null },
    )
    const metadata = fc.option(
      fc.dictionary(fc.oneof(text, fc.constant('__proto__')), fc.jsonValue()).map((of) => JSON.stringify(of)),
      { nil: null },
    )
    const amount = fc.option(
      fc.double({ min: 0, noDefaultInfinity: true, noNaN: true }).map((of) => of + 0),
      { nil: null },
    )
    const instant = fc.bigInt({ min: -62135596800000000n, max: 253402300799999999n })
    const records = fc.record({
      trace: plain({
        name: text,
        startUs: instant,
        endUs: fc.option(instant, { nil: null }),
        userId: fc.option(text, { nil: null }),
        sessionId: fc.option(text, { nil: null }),
        input: json,
        output: json,
        idealOutput: json,
        metadata,
        evaluators: json,
        sent: json,
        cost: amount,
        sampleRate: amount,
        sampled: fc.boolean(),
        sampledBy: fc.constantFrom(null, 'experiment', 'evaluator:polite'),
        judges: fc.uniqueArray(text.filter((of) => of !== '')),
        models: fc.array(text),
        prompts: fc.array(plain({ slug: text, version: fc.constantFrom(null, '1.0.0') })),
      }),
      logs: fc.array(
        plain({
          logId: text,
          name: fc.option(text, { nil: null }),
          startUs: fc.option(instant, { nil: null }),
          input: json,
          output: json,
          metadata,
          variables: json,
          inputTokens: amount,
          cost: amount,
          countsInTotals: fc.boolean(),
          model: fc.option(text, { nil: null }),
        }),
        { maxLength: 3 },
      ),
      value: fc.oneof(
        fc.boolean(),
        amount.map((of) => of ?? 0),
        text,
      ),
    })
    await fc.assert(
      fc.asyncProperty(records, async ({ trace: fields, logs: logFields, value }) => {
        const workspaceId = randomUUID()
        const trace = testTrace({ workspaceId, ...fields })
        const logs = logFields.map((of, position) => testLog(trace, { ...of, position }))
        const scores = [testScore(trace, { value })]
        assert.deepEqual(await insert({ traces: [trace], logs, scores }), { refused: [] })
        assert.deepEqual(await read(workspaceId).find(trace.traceId), { trace, logs, scores })
      }),
      { numRuns: 40 },
    )
  })

  test('the first and the last year come back to the microsecond, in order and within their month', async () => {
    const workspaceId = randomUUID()
    const first = testTrace({ workspaceId, startUs: -62135596800000000n + 1n })
    const last = testTrace({ workspaceId, startUs: 253402300799999999n })
    await insert({ traces: [first, last] })
    assert.deepEqual(await listed(workspaceId, {}), [last.traceId, first.traceId])
    assert.deepEqual(await listed(workspaceId, { toUs: 0n }), [first.traceId])
    assert.equal((await read(workspaceId).find(last.traceId))?.trace.startUs, last.startUs)
    assert.deepEqual(await measured(workspaceId, { measures: ['traces'], granularity: 'month' }), [
      { time: '0001-01-01T00:00:00.000000Z', traces: 1 },
      { time: '9999-12-01T00:00:00.000000Z', traces: 1 },
    ])
  })

  test('another workspace sees nothing', async () => {
    const trace = testTrace({ workspaceId: randomUUID(), input: '"word"' })
    await insert({ traces: [trace], logs: [testLog(trace)] })
    const other = randomUUID()
    assert.equal(await read(other).find(trace.traceId), undefined)
    assert.equal(await read(other).exists(trace.traceId), false)
    assert.deepEqual(await listed(other, { q: 'word' }), [])
    assert.deepEqual(await measured(other, { measures: ['traces', 'cost'] }), [{ traces: 0, cost: null }])
  })

  test('a log exists in its own trace only, and what is no id exists nowhere', async () => {
    const workspaceId = randomUUID()
    const [trace, other] = [testTrace({ workspaceId }), testTrace({ workspaceId })]
    await insert({ traces: [trace, other], logs: [testLog(trace, { logId: "it's" })] })
    assert.equal(await read(workspaceId).exists(trace.traceId), true)
    assert.equal(await read(workspaceId).exists(trace.traceId, "it's"), true)
    assert.equal(await read(workspaceId).exists(other.traceId, "it's"), false)
    assert.equal(await read(workspaceId).find("' OR 1"), undefined)
  })

  test('a batch that comes again is stored once, in the roll-ups too, also when the first try ended half-way', async () => {
    const workspaceId = randomUUID()
    const trace = testTrace({ workspaceId, logCount: 2, cost: 0.5 })
    const records = {
      traces: [trace],
      logs: [testLog(trace), testLog(trace, { position: 1 })],
      scores: [testScore(trace)],
    }
    const token = randomUUID()
    await current().insert({ ...batchOf(records, token), traces: Buffer.alloc(0) })
    await insert(records, token)
    await insert(records, token)
    const found = await read(workspaceId).find(trace.traceId)
    assert.equal(found?.logs.length, 2)
    assert.equal(found.scores.length, 1)
    for (const granularity of ['minute', 'hour'] as const) {
      const [row] = await measured(workspaceId, { measures: ['traces', 'logs', 'cost'], granularity })
      assert.deepEqual({ ...row, time: '' }, { time: '', traces: 1, logs: 2, cost: 0.5 })
      const [byType] = await measured(workspaceId, { measures: ['logs'], dimensions: ['type'], granularity })
      assert.equal(byType?.logs, 2)
    }
  })

  test('a row the engine refuses is named, blocks no other, and a replay changes nothing', async () => {
    const workspaceId = randomUUID()
    const traces = Array.from({ length: 9 }, () => testTrace({ workspaceId }))
    const lines = traces.map(encodeTraceRow)
    lines[4] = lines[4]?.replace('"errors":0', '"errors":"many"') ?? ''
    lines[8] = '{"workspace_id":\n'
    const batch: InsertBatch = { ...batchOf({}), traces: Buffer.from(lines.join('')) }
    const { refused } = await current().insert(batch)
    assert.deepEqual(
      refused.map(({ table, line }) => [table, line]),
      [
        ['traces', 4],
        ['traces', 8],
      ],
    )
    assert.match(refused[0]?.error ?? '', /many|errors|parse/i)
    await current().insert(batch)
    const [row] = await measured(workspaceId, { measures: ['traces'], granularity: 'hour' })
    assert.equal(row?.traces, 7)
    assert.equal((await listed(workspaceId, {})).length, 7)
  })

  test('a walk through pages meets every trace once while others arrive', async () => {
    const workspaceId = randomUUID()
    const traces = Array.from({ length: 25 }, (_, index) =>
      testTrace({ workspaceId, startUs: BigInt(index >> 2) }),
    )
    await insert({ traces })
    const met: string[] = []
    let page = await read(workspaceId).list({}, { limit: 4 })
    for (;;) {
      met.push(...page.traces.map(({ traceId }) => traceId))
      if (page.next === undefined) break
      await insert({ traces: [testTrace({ workspaceId, startUs: 99n })] })
      page = await read(workspaceId).list({}, { limit: 4, before: page.next })
    }
    assert.deepEqual(met.toSorted(), traces.map(({ traceId }) => traceId).toSorted())
  })

  test('each filter finds what matches and nothing else', async () => {
    const workspaceId = randomUUID()
    const hit = testTrace({
      workspaceId,
      featureSlug: 'f',
      experimentId: 'e',
      userId: "u'\\\n",
      organizationId: 'o',
      name: 'run',
      logTypes: ['tool'],
      models: ['m'],
      errors: 1,
      cost: 0.5,
      durationUs: 2_000_000n,
      startUs: 1_000n,
      metadata: '{"a.b":"c","n":1.5,"empty":""}',
      prompts: [
        { slug: 'p', version: '1' },
        { slug: 'q', version: '2' },
      ],
    })
    await insert({
      traces: [
        hit,
        testTrace({
          workspaceId,
          startUs: 2_000n,
          cost: 0.1,
          durationUs: 1n,
          prompts: [{ slug: 'p', version: '2' }],
        }),
      ],
    })
    const hits: TraceFilters[] = [
      { featureSlug: 'f' },
      { experimentId: 'e' },
      { userId: "u'\\\n" },
      { organizationId: 'o' },
      { name: 'run' },
      { type: 'tool' },
      { model: 'm' },
      { hasError: true },
      { minCost: 0.5 },
      { minDurationMs: 2000 },
      { fromUs: 1_000n, toUs: 1_001n },
      { metadata: { 'a.b': 'c' } },
      { metadata: { n: '1.5', empty: '' } },
      { promptSlug: 'p', promptVersion: '1' },
      { promptSlug: 'q' },
      { promptVersion: '1' },
    ]
    for (const filters of hits)
      assert.deepEqual(
        await listed(workspaceId, filters),
        [hit.traceId],
        JSON.stringify(Object.keys(filters)),
      )
    const misses: TraceFilters[] = [
      { featureSlug: 'F' },
      { userId: "u'" },
      { name: 'ru' },
      { type: 'span' },
      { minCost: 0.51 },
      { minDurationMs: 2000.1 },
      { toUs: 1_000n },
      { metadata: { a: 'c' } },
      { metadata: { missing: '' } },
      { promptSlug: 'q', promptVersion: '1' },
      { userId: "' OR '1'='1" },
    ]
    for (const filters of misses)
      assert.deepEqual(await listed(workspaceId, filters), [], JSON.stringify(Object.keys(filters)))
  })

  test('full text finds words of a trace or its logs in any script and case, and phrases', async () => {
    const workspaceId = randomUUID()
    const trace = testTrace({
      workspaceId,
      input: JSON.stringify('Hello\nWÖRLD “Foo” 今天天气很好 C:\\new ภาษาไทย'),
    })
    await insert({
      traces: [trace],
      logs: [testLog(trace, { output: '{"user_id":"Zebra’s \\"red apple\\""}' })],
    })
    for (const q of [
      'hello',
      'wörld',
      'foo',
      '天气',
      'ไทย',
      'new',
      '"hello wörld foo"',
      'zebra',
      '"red apple"',
      'USER',
      'foo hello',
      'c:\\new',
      ' "foo',
      "hello'",
    ]) {
      assert.deepEqual(await listed(workspaceId, { q }), [trace.traceId], q)
    }
    for (const q of [
      'hell',
      'nwörld',
      '气天',
      '"wörld hello"',
      '"apple red"',
      'missing',
      "%_'\\{x:String}",
      '!',
      '\0',
      '\ud800',
    ]) {
      assert.deepEqual(await listed(workspaceId, { q }), [], q)
    }
    assert.deepEqual(await listed(workspaceId, { q: ' ' }), [trace.traceId])
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
        // As of a client that knows no price: it sent 0, and sums take the estimate.
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
    const sum = (rows: TraceRow[], of: (row: TraceRow) => number): number =>
      rows.reduce((total, row) => total + of(row), 0)

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
    for (const filters of [{}, { minDurationMs: 0 }]) {
      const [byModel] = await measured(workspaceId, {
        measures: ['cost', 'inputTokens', 'logs', 'errors', 'generations', 'avgDurationMs'],
        dimensions: ['model'],
        filters,
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
        filters: { ...filters, model: 'm0' },
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
    assert.deepEqual(await measured(workspaceId, { measures: ['scores'], filters: { model: 'm1' } }), [
      { scores: 5 },
    ])
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

  test('a walk gives every whole trace once, newest start first, in pages that fit the size of traces', async () => {
    const workspaceId = randomUUID()
    const traces = Array.from({ length: 130 }, (_, at) =>
      testTrace({
        workspaceId,
        startUs: BigInt(at),
        name: at % 2 === 0 ? 'even' : 'odd',
        logCount: 2,
        input: JSON.stringify('x'.repeat(at < 20 ? 500_000 : 10)),
      }),
    )
    const logs = traces.flatMap((trace) =>
      [1, 0].map((position) => testLog(trace, { position, logId: `log ${position}` })),
    )
    const scores = traces.map((trace) => testScore(trace))
    await insert({ traces, logs, scores })
    const walked = await Array.fromAsync(read(workspaceId).walk({}))
    assert.deepEqual(
      walked.map(({ trace }) => trace),
      traces.toReversed(),
    )
    for (const { trace, logs: ofTrace, scores: given } of walked) {
      assert.deepEqual(
        ofTrace.map(({ traceId, position }) => [traceId, position]),
        [0, 1].map((position) => [trace.traceId, position]),
      )
      assert.deepEqual(
        given.map(({ traceId }) => traceId),
        [trace.traceId],
      )
    }
    const even = await Array.fromAsync(read(workspaceId).walk({ name: 'even', fromUs: 10n }))
    assert.equal(even.length, 60)
  })

  test('of many ids, those that are there are told', async () => {
    const workspaceId = randomUUID()
    const [here, elsewhere] = [testTrace({ workspaceId }), testTrace({ workspaceId: randomUUID() })]
    await insert({ traces: [here, elsewhere] })
    const asked = [here.traceId, elsewhere.traceId, testTraceId(), 'none']
    assert.deepEqual(await read(workspaceId).existing(asked), new Set([here.traceId]))
    assert.deepEqual(await read(workspaceId).existing([]), new Set())
  })

  test('of many logs, those that are there are told, each with its trace', async () => {
    const workspaceId = randomUUID()
    const traces = [1, 2].map(() => testTrace({ workspaceId }))
    const elsewhere = testTrace({ workspaceId: randomUUID() })
    await insert({
      traces: [...traces, elsewhere],
      logs: [
        testLog(traces[0]!, { logId: 'a' }),
        testLog(traces[1]!, { logId: 'b' }),
        testLog(elsewhere, { logId: 'a' }),
      ],
    })
    const [one, two] = traces.map(({ traceId }) => traceId) as [string, string]
    const asked = [one, two, elsewhere.traceId, 'none'].flatMap((traceId) => [
      { traceId, logId: 'a' },
      { traceId, logId: "it's" },
    ])
    assert.deepEqual(await read(workspaceId).existingLogs(asked), [{ traceId: one, logId: 'a' }])
    assert.deepEqual(await read(workspaceId).existingLogs([]), [])
  })

  test('traces that refer to an evaluator are counted by what decided whether they are judged', async () => {
    const workspaceId = randomUUID()
    const of = (fields: Partial<TraceRow>) =>
      testTrace({
        workspaceId,
        judges: ['polite'],
        startUs: 5n,
        sampleRate: 0.5,
        sampledBy: 'trace',
        ...fields,
      })
    const traces = [
      of({ sampled: true }),
      of({}),
      of({ sampleRate: 1, sampledBy: 'evaluator:polite', sampled: true }),
      of({ judges: ['other'] }),
      of({ startUs: 10n }),
      of({ workspaceId: randomUUID() }),
    ]
    await insert({ traces, scores: [testScore(traces[0]!), ...[1, 1, 2].map(scoreOf)] })
    function scoreOf(version: number): ScoreRow {
      return testScore(traces[0]!, { evaluatorSlug: 'polite', evaluatorVersion: String(version) })
    }
    assert.deepEqual(await read(workspaceId).sampling('polite', { fromUs: 5n, toUs: 10n }), [
      { rate: 0.5, sampledBy: 'trace', eligible: 2, drawn: 1 },
      { rate: 1, sampledBy: 'evaluator:polite', eligible: 1, drawn: 1 },
    ])
    assert.deepEqual(
      await listed(workspaceId, { sampled: true }),
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

  test('of many ids, those that are there are read whole', async () => {
    const workspaceId = randomUUID()
    const here = [1, 2].map(() => testTrace({ workspaceId }))
    const elsewhere = testTrace({ workspaceId: randomUUID() })
    await insert({
      traces: [...here, elsewhere],
      logs: [testLog(here[0]!), testLog(elsewhere)],
    })
    const asked = [...here, elsewhere].map(({ traceId }) => traceId)
    const found = await read(workspaceId).findMany([...asked, testTraceId(), 'none'])
    const whole = await Promise.all(here.map(({ traceId }) => read(workspaceId).find(traceId)))
    assert.deepEqual(
      found,
      new Map(whole.map((of) => [of!.trace.traceId, { trace: of!.trace, logs: of!.logs }])),
    )
    assert.deepEqual(await read(workspaceId).findMany([]), new Map())
  })
}
