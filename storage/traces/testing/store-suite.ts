/** Rows and requests by id on either engine. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { propertyRuns } from '../../../fixtures/property-runs.ts'
import type { TraceStore } from '../store.ts'
import type { InsertBatch } from '../types.ts'
import { suiteStore } from './suite-store.ts'
import { batchOf, testLog, testScore, testTrace, testTraceId, tracesWithNameAsErrors } from './testing.ts'

/** Objects with a prototype, like rows. */
const plain = <T>(model: { [K in keyof T]: fc.Arbitrary<T[K]> }): fc.Arbitrary<T> =>
  fc.record(model, { noNullPrototype: true })

export function testTraceStore(current: () => TraceStore): void {
  const { insert, read, listed, measured } = suiteStore(current)

  test('a trace, its logs and its scores are returned as they were inserted', async () => {
    const text = fc.string({ unit: 'binary' }).map((value) => value.toWellFormed())
    const json = fc.option(
      fc.jsonValue().map((value) => JSON.stringify(value)),
      { nil: null },
    )
    const metadata = fc.option(
      fc
        .dictionary(fc.oneof(text, fc.constant('__proto__')), fc.jsonValue())
        .map((value) => JSON.stringify(value)),
      { nil: null },
    )
    const amount = fc.option(
      fc.double({ min: 0, noDefaultInfinity: true, noNaN: true }).map((value) => value + 0),
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
        environment: fc.option(text, { nil: null }),
        release: fc.option(text, { nil: null }),
        tags: fc.array(text),
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
        judges: fc.uniqueArray(text.filter((value) => value !== '')),
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
          timeToFirstTokenMs: amount,
          model: fc.option(text, { nil: null }),
        }),
        { maxLength: 3 },
      ),
      value: fc.oneof(
        fc.boolean(),
        amount.map((value) => value ?? 0),
        text,
      ),
    })
    await fc.assert(
      fc.asyncProperty(records, async ({ trace: fields, logs: logFields, value }) => {
        const workspaceId = randomUUID()
        const trace = testTrace({ workspaceId, ...fields })
        const logs = logFields.map((fields, position) => testLog(trace, { ...fields, position }))
        const scores = [testScore(trace, { value })]
        assert.deepEqual(await insert({ traces: [trace], logs, scores }), { rejectedRows: [] })
        assert.deepEqual(await read(workspaceId).find(trace.traceId), { trace, logs, scores })
      }),
      propertyRuns(4),
    )
  })

  test('the first and the last year are returned to the microsecond, in order and within their month', async () => {
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

  test('a log exists in its own trace only, and an invalid id exists nowhere', async () => {
    const workspaceId = randomUUID()
    const [trace, other] = [testTrace({ workspaceId }), testTrace({ workspaceId })]
    await insert({ traces: [trace, other], logs: [testLog(trace, { logId: "it's" })] })
    assert.equal(await read(workspaceId).exists(trace.traceId), true)
    assert.equal(await read(workspaceId).exists(trace.traceId, "it's"), true)
    assert.equal(await read(workspaceId).exists(other.traceId, "it's"), false)
    assert.equal(await read(workspaceId).find("' OR 1"), undefined)
  })

  test('a repeated batch is stored once, in the roll-ups too, even if the first attempt was interrupted', async () => {
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
    const result = await read(workspaceId).find(trace.traceId)
    assert.equal(result?.logs.length, 2)
    assert.equal(result.scores.length, 1)
    for (const granularity of ['minute', 'hour'] as const) {
      const [row] = await measured(workspaceId, { measures: ['traces', 'logs', 'cost'], granularity })
      assert.deepEqual({ ...row, time: '' }, { time: '', traces: 1, logs: 2, cost: 0.5 })
      const [byType] = await measured(workspaceId, { measures: ['logs'], dimensions: ['type'], granularity })
      assert.equal(byType?.logs, 2)
    }
  })

  test('a rejected row is reported and blocks no others, and a replay changes nothing', async () => {
    const workspaceId = randomUUID()
    const traces = Array.from({ length: 9 }, (_, index) =>
      testTrace({ workspaceId, name: index === 4 || index === 8 ? 'many' : '1' }),
    )
    const batch: InsertBatch = { ...batchOf({}), traces: tracesWithNameAsErrors(traces) }
    const { rejectedRows } = await current().insert(batch)
    assert.deepEqual(
      rejectedRows.map(({ table, row }) => [table, row]),
      [
        ['traces', 4],
        ['traces', 8],
      ],
    )
    assert.match(rejectedRows[0]?.error ?? '', /many|errors|parse/i)
    await current().insert(batch)
    const [row] = await measured(workspaceId, { measures: ['traces'], granularity: 'hour' })
    assert.equal(row?.traces, 7)
    assert.equal((await listed(workspaceId, {})).length, 7)
  })

  test('a rejected row in one of several blocks does not affect the others', async () => {
    const workspaceId = randomUUID()
    const traces = Array.from({ length: 9 }, (_, index) =>
      testTrace({ workspaceId, name: index === 5 ? 'many' : '1' }),
    )
    const blocks = [traces.slice(0, 4), traces.slice(4, 7), traces.slice(7)].map(tracesWithNameAsErrors)
    const batch: InsertBatch = { ...batchOf({}), traces: Buffer.concat(blocks) }
    for (let attempt = 0; attempt < 2; attempt++) {
      const { rejectedRows } = await current().insert(batch)
      assert.deepEqual(
        rejectedRows.map(({ table, row }) => [table, row]),
        [['traces', 5]],
      )
    }
    assert.equal((await listed(workspaceId, {})).length, 8)
  })

  test('a walk returns every complete trace once, newest start first, in pages that fit the size of traces', async () => {
    const workspaceId = randomUUID()
    const traces = Array.from({ length: 130 }, (_, index) =>
      testTrace({
        workspaceId,
        startUs: BigInt(index),
        name: index % 2 === 0 ? 'even' : 'odd',
        logCount: 2,
        input: JSON.stringify('x'.repeat(index < 20 ? 500_000 : 10)),
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
    for (const { trace, logs: ofTrace, scores: expectedScores } of walked) {
      assert.deepEqual(
        ofTrace.map(({ traceId, position }) => [traceId, position]),
        [0, 1].map((position) => [trace.traceId, position]),
      )
      assert.deepEqual(
        expectedScores.map(({ traceId }) => traceId),
        [trace.traceId],
      )
    }
    const where = [{ field: 'name', is: ['even'] }]
    const even = await Array.fromAsync(read(workspaceId).walk({ where, fromUs: 10n }))
    assert.equal(even.length, 60)
  })

  test('the existing ones of many ids are reported', async () => {
    const workspaceId = randomUUID()
    const [here, elsewhere] = [testTrace({ workspaceId }), testTrace({ workspaceId: randomUUID() })]
    await insert({ traces: [here, elsewhere] })
    const ids = [here.traceId, elsewhere.traceId, testTraceId(), 'none']
    assert.deepEqual(await read(workspaceId).existing(ids), new Set([here.traceId]))
    assert.deepEqual(await read(workspaceId).existing([]), new Set())
  })

  test('the existing ones of many logs are found, each with its trace', async () => {
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
    const [first, two] = traces.map(({ traceId }) => traceId) as [string, string]
    const keys = [first, two, elsewhere.traceId, 'none'].flatMap((traceId) => [
      { traceId, logId: 'a' },
      { traceId, logId: "it's" },
    ])
    assert.deepEqual(await read(workspaceId).existingLogs(keys), [{ traceId: first, logId: 'a' }])
    assert.deepEqual(await read(workspaceId).existingLogs([]), [])
  })

  test('the existing ones of many ids are read in full', async () => {
    const workspaceId = randomUUID()
    const here = [1, 2].map(() => testTrace({ workspaceId }))
    const elsewhere = testTrace({ workspaceId: randomUUID() })
    await insert({
      traces: [...here, elsewhere],
      logs: [testLog(here[0]!), testLog(elsewhere)],
    })
    const ids = [...here, elsewhere].map(({ traceId }) => traceId)
    const result = await read(workspaceId).findMany([...ids, testTraceId(), 'none'])
    const whole = await Promise.all(here.map(({ traceId }) => read(workspaceId).find(traceId)))
    assert.deepEqual(
      result,
      new Map(
        whole.map((storedTrace) => [
          storedTrace!.trace.traceId,
          { trace: storedTrace!.trace, logs: storedTrace!.logs },
        ]),
      ),
    )
    assert.deepEqual(await read(workspaceId).findMany([]), new Map())
  })
}
