/** Invariants of replacing assembled traces on either engine; run along with the other suites. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import type { MetricsQuery } from '../metrics/metric-types.ts'
import type { TraceRow } from '../rows/row-types.ts'
import { encodeScores, encodeSpans } from '../rows.ts'
import type { TraceStore } from '../store.ts'
import { type AssembledRows, otelTraceId, replacementOf } from './replacements.ts'
import { testLog, testScore, testTrace } from './testing.ts'

/** A trace with logs, one of which has usage, and with the correct totals. */
function assemble(workspaceId: string, fields: Partial<TraceRow>, logs: number): AssembledRows {
  const trace = testTrace({
    workspaceId,
    logCount: logs,
    inputTokens: 10 * logs,
    outputTokens: 1,
    cost: 0.1 * logs,
    durationUs: BigInt(logs) * 1000n,
    ...fields,
  })
  return {
    trace,
    logs: Array.from({ length: logs }, (_, position) =>
      testLog(trace, {
        position,
        logId: `log ${position}`,
        type: 'generation',
        model: `m${logs}`,
        inputTokens: 10,
        outputTokens: position === 0 ? 1 : 0,
        costInTotals: 0.1,
        durationUs: 7n,
        hasError: position === 1,
      }),
    ),
  }
}

export function testReplacing(current: () => TraceStore): void {
  const storeOf = (workspaceId: string) => current().scopedTo(workspaceId)

  /**
   * Compares a query to the roll-ups with the same query to the tables, forced by a filter that only the tables
   * support.
   */
  const agree = async (
    workspaceId: string,
    query: Pick<MetricsQuery, 'measures' | 'dimensions' | 'granularity'>,
  ) => {
    const ask = (filters: MetricsQuery['filters']) => storeOf(workspaceId).measure({ ...query, filters })
    const roundRows = (rows: Awaited<ReturnType<typeof ask>>) =>
      rows.map((row) =>
        Object.fromEntries(
          Object.entries(row).map(([name, value]) => [
            name,
            typeof value === 'number' ? Number(value.toPrecision(12)) : value,
          ]),
        ),
      )
    const [rollUps, tables] = await Promise.all([ask({}), ask({ where: [{ field: 'durationMs', min: 0 }] })])
    assert.deepEqual(roundRows(rollUps), roundRows(tables))
    return roundRows(tables)
  }

  const sums = async (workspaceId: string) => {
    await agree(workspaceId, {
      measures: [
        'traces',
        'logs',
        'errors',
        'errorRate',
        'inputTokens',
        'outputTokens',
        'cost',
        'avgDurationMs',
      ],
      dimensions: ['feature'],
      granularity: 'hour',
    })
    await agree(workspaceId, {
      measures: ['logs', 'generations', 'errors', 'inputTokens', 'outputTokens', 'cost', 'avgDurationMs'],
      dimensions: ['model', 'type'],
      granularity: 'day',
    })
    const [all] = await agree(workspaceId, {
      measures: ['traces', 'logs', 'cost', 'inputTokens'],
      dimensions: [],
    })
    return all
  }

  test('a replaced trace exists once, under its id, with its scores, and is counted once', async () => {
    const workspaceId = randomUUID()
    const before = assemble(workspaceId, { name: 'child', featureSlug: null }, 2)
    await current().replace(replacementOf([before], []))
    assert.deepEqual(await sums(workspaceId), { traces: 1, logs: 2, cost: 0.2, inputTokens: 20 })
    const score = testScore(before.trace)
    await current().insert({
      token: randomUUID(),
      traces: Buffer.alloc(0),
      logs: Buffer.alloc(0),
      scores: encodeScores([score]),
    })
    const after = assemble(
      workspaceId,
      {
        traceId: before.trace.traceId,
        name: 'root',
        featureSlug: 'chat',
        startUs: before.trace.startUs - 7_200_000_000n,
      },
      5,
    )
    await current().replace(replacementOf([after], [before]))
    assert.deepEqual(await storeOf(workspaceId).find(after.trace.traceId), { ...after, scores: [score] })
    const { traces } = await storeOf(workspaceId).list({}, { limit: 10 })
    assert.deepEqual(
      traces.map(({ name }) => name),
      ['root'],
    )
    assert.deepEqual(await sums(workspaceId), { traces: 1, logs: 5, cost: 0.5, inputTokens: 50 })
    assert.deepEqual(
      await storeOf(workspaceId).measure({ measures: ['logs'], dimensions: ['model'], filters: {} }),
      [{ model: 'm5', logs: 5 }],
      'a model that is gone leaves a row',
    )
    assert.equal(await storeOf(workspaceId).idOf(otelTraceId), after.trace.traceId)
    assert.equal(await storeOf(randomUUID()).idOf(otelTraceId), undefined)
  })

  test('cost changes for a trace that was replaced since it was read do not affect its current rows', async () => {
    const workspaceId = randomUUID()
    const before = assemble(workspaceId, {}, 2)
    const { traceId, startUs } = before.trace
    await current().replace(replacementOf([before], []))
    const readTrace = async () => {
      for await (const trace of storeOf(workspaceId).walk({})) return trace
      return assert.fail('There is no trace.')
    }
    const changeCosts = async ({ revision }: { revision: string }) => {
      const newCost = { position: 1, cost: 5, costEstimate: 5, costDetail: null, costInTotals: 5 }
      await current().changeCosts({
        keys: [{ workspaceId, traceId, startUs, revision }],
        traces: [{ traceId, cost: 5.2 }],
        logs: [{ traceId, ...newCost }],
        token: randomUUID(),
      })
    }
    const old = await readTrace()
    // A late span that began first, so that each log moves to the next position.
    const after = assemble(workspaceId, { traceId, startUs }, 3)
    await current().replace(replacementOf([after], [before]))
    await changeCosts(old)
    assert.deepEqual(await storeOf(workspaceId).find(traceId), { ...after, scores: [] })
    assert.deepEqual(await sums(workspaceId), { traces: 1, logs: 3, cost: 0.3, inputTokens: 30 })
    await changeCosts(await readTrace())
    const changed = await storeOf(workspaceId).find(traceId)
    assert.deepEqual(
      [changed?.trace.cost, changed?.logs.map(({ costInTotals }) => costInTotals)],
      [5.2, [0.1, 5, 0.1]],
    )
  })

  test('a replacement that is run again, whole or after its deletes, changes nothing', async () => {
    const workspaceId = randomUUID()
    const before = assemble(workspaceId, {}, 3)
    const first = replacementOf([before], [])
    await current().replace(first)
    await current().replace(first)
    const after = assemble(workspaceId, { traceId: before.trace.traceId, startUs: before.trace.startUs }, 1)
    const second = replacementOf([after], [before])
    await current().replace(second)
    await current().replace(second)
    await current().replace(first)
    assert.deepEqual(await storeOf(workspaceId).find(after.trace.traceId), { ...after, scores: [] })
    assert.deepEqual(await sums(workspaceId), { traces: 1, logs: 1, cost: 0.1, inputTokens: 10 })
  })

  test('a trace that no longer exists is removed, and others stay', async () => {
    const workspaceId = randomUUID()
    const [remaining, deletedItem, other] = [2, 3, 4].map((logs) => assemble(workspaceId, {}, logs)) as [
      AssembledRows,
      AssembledRows,
      AssembledRows,
    ]
    await current().replace(replacementOf([remaining, deletedItem, other], []))
    await current().replace(replacementOf([remaining], [remaining, deletedItem]))
    assert.equal(await storeOf(workspaceId).find(deletedItem.trace.traceId), undefined)
    assert.deepEqual((await storeOf(workspaceId).find(remaining.trace.traceId))?.logs.length, 2)
    assert.deepEqual(await sums(workspaceId), { traces: 2, logs: 6, cost: 0.6, inputTokens: 60 })
  })

  test('a trace is found complete at any time during many replacements', async () => {
    const workspaceId = randomUUID()
    let last = assemble(workspaceId, {}, 1)
    const { traceId, startUs } = last.trace
    await current().replace(replacementOf([last], []))
    let isOver = false
    let readings = 0
    const read = async () => {
      const result = await storeOf(workspaceId).find(traceId)
      assert.equal(result?.logs.length, result?.trace.logCount)
      const { traces } = await storeOf(workspaceId).list({}, { limit: 10 })
      assert.equal(traces.length, 1)
      readings += 1
    }
    const reading = (async () => {
      try {
        while (!isOver) await read()
      } finally {
        isOver = true
      }
    })()
    const replaceBy = async (round: number, logs: number) => {
      const next = assemble(workspaceId, { traceId, startUs: startUs - BigInt(round) }, logs)
      await current().replace(replacementOf([next], [last]))
      last = next
    }
    let round = 2
    // On a busy machine a replacement may end before a read does.
    for (; !isOver && (round < 6 || readings <= 5); round++) await replaceBy(round, 2 + (round % 4))
    isOver = true
    await reading
    assert.ok(readings > 5)
    await replaceBy(round, 5)
    assert.deepEqual(await sums(workspaceId), { traces: 1, logs: 5, cost: 0.5, inputTokens: 50 })
  })

  test('spans are read by trace, and a repeated batch is stored once', async () => {
    const workspaceId = randomUUID()
    const span = (spanId: string, traceId = otelTraceId) => ({
      workspaceId,
      otelTraceId: traceId,
      spanId,
      addition: '',
      receivedAtMs: Date.now(),
      isEnded: true,
      apiKeyId: 'key',
      resolved: '',
      span: JSON.stringify({ text: 'tab\tline\n\\ 今 \u0000', spanId }),
    })
    const nothing = { traces: Buffer.alloc(0), logs: Buffer.alloc(0), scores: Buffer.alloc(0) }
    const batch = {
      token: randomUUID(),
      ...nothing,
      spans: encodeSpans([span('b'), span('a'), span('z', 'd'.repeat(32))]),
    }
    for (const _ of [1, 2]) assert.deepEqual(await current().insert(batch), { rejectedRows: [] })
    const text = await current().readSpans([{ workspaceId, otelTraceId, firstAtMs: Date.now() }])
    const lines = text
      .trimEnd()
      .split('\n')
      .map((line) => line.split('\t'))
    assert.deepEqual(
      lines.map((fields) => fields[2]),
      ['a', 'b'],
    )
    assert.equal((JSON.parse(lines[0]![7]!) as { text: string }).text, 'tab\tline\n\\ 今 \u0000')
    assert.equal(
      await current().readSpans([{ workspaceId: randomUUID(), otelTraceId, firstAtMs: Date.now() }]),
      '',
    )
  })
}
