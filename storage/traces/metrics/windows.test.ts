import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import fc from 'fast-check'
import { propertyRuns } from '../../../fixtures/property-runs.ts'
import type { LogRow, ScoreRow } from '../rows/row-types.ts'
import type { TraceStore } from '../store.ts'
import { batchOf, openTestTraceStore, testLog, testScore, testTrace } from '../testing/testing.ts'
import type { MetricsQuery, MetricsRow } from './metric-types.ts'

const minuteUs = 60_000_000n
const startUs = BigInt(Date.parse('2026-03-01T12:00:00Z')) * 1000n
const workspaceId = randomUUID()

let store: TraceStore
before(async () => {
  store = await openTestTraceStore()
  const traces = Array.from({ length: 200 }, (_, index) =>
    testTrace({
      workspaceId,
      startUs: startUs + BigInt(index * 37) * 1_000_000n + (index % 10 === 0 ? 0n : 1n),
      durationUs: index % 8 === 3 ? null : BigInt(1000 * ((index * 7919) % 500)),
      // Sums of these values are exact in any order.
      cost: index % 3 === 0 ? null : index / 128,
      errors: index % 5 === 0 ? 1 : 0,
      prompts: index % 2 === 0 ? [{ slug: 'greeting', version: '1.0.0' }] : [],
    }),
  )
  const logs: LogRow[] = traces.map((trace, index) =>
    testLog(trace, index % 2 === 0 ? { promptSlug: 'greeting', promptVersion: '1.0.0' } : {}),
  )
  const scores: ScoreRow[] = traces.flatMap((trace, index) => {
    const createdAtMs = Number(trace.startUs / 1000n) + 1
    return [
      testScore(trace, { name: 'right', value: index % 4 !== 0, evaluatorSlug: 'judge', createdAtMs }),
      testScore(trace, { name: 'other', value: index % 2 === 0 ? 0 : 'perhaps', createdAtMs }),
      testScore(trace, { name: 'right', value: 1, logId: 'log', evaluatorSlug: null, createdAtMs }),
    ]
  })
  await store.insert(batchOf({ traces, logs, scores }))
})
after(() => store.close())

const measures = ['traces', 'cost', 'errorRate', 'p95DurationMs', 'scores', 'avgScore'] as const
const ask = (query: Partial<MetricsQuery>): Promise<MetricsRow[]> =>
  store.scopedTo(workspaceId).measure({ measures: [...measures], dimensions: [], filters: {}, ...query })

describe('measures over windows', () => {
  it('are those of each single window, however windows overlap', async () => {
    const minutes = (most: number) => fc.integer({ min: 1, max: most })
    await fc.assert(
      fc.asyncProperty(minutes(45), minutes(20), minutes(60), async (width, step, first) => {
        const [widthUs, stepUs] = [BigInt(width) * minuteUs, BigInt(step) * minuteUs]
        const fromUs = startUs + BigInt(first - 20) * minuteUs
        const toUs = fromUs + widthUs + 7n * stepUs
        const rows = await ask({ windows: { widthUs, stepUs }, fromUs, toUs })
        const byEnd = new Map(rows.map(({ time, ...row }) => [time, row]))
        const firstEnd = ((fromUs + widthUs + stepUs - 1n) / stepUs) * stepUs
        for (let end = firstEnd; end <= toUs; end += stepUs) {
          const [alone] = await ask({ fromUs: end - widthUs, toUs: end })
          const time = new Date(Number(end / 1000n)).toISOString().replace('Z', '000Z')
          const match = byEnd.get(time)
          if (alone?.traces === 0) assert.equal(match, undefined, time)
          else assert.deepEqual(match, alone, time)
          byEnd.delete(time)
        }
        assert.equal(byEnd.size, 0, 'a window ends where none should')
      }),
      propertyRuns(2),
    )
  })
})

describe('samples', () => {
  it('are the number of values behind a mean or percentile, from hourly sums and from rows', async () => {
    const hours = { fromUs: startUs, toUs: startUs + 180n * minuteUs }
    const samplesOf = async (
      name: 'avgDurationMs' | 'p95DurationMs' | 'avgScore',
      query: Partial<MetricsQuery>,
    ) => {
      const [row] = await ask({ ...hours, measures: [name], samplesOf: name, ...query })
      return row?.samples
    }
    assert.equal(await samplesOf('avgDurationMs', {}), 175)
    const byRows = { filters: { where: [{ field: 'environment', exists: false }] } }
    assert.equal(await samplesOf('avgDurationMs', byRows), 175)
    assert.equal(await samplesOf('p95DurationMs', {}), 175)
    assert.equal(await samplesOf('avgScore', { scores: { name: 'other' } }), 100)
    assert.equal(await samplesOf('avgScore', { scores: { name: 'nobody' } }), 0)
  })
})

describe('scores on their own', () => {
  const range = { fromUs: startUs, toUs: startUs + 1000n * minuteUs }

  it('are those with a name or from an evaluator', async () => {
    const [scoreRow] = await ask({ ...range, scores: { name: 'right' } })
    assert.deepEqual([scoreRow?.scores, scoreRow?.avgScore], [400, 0.875])
    const [byEvaluator] = await ask({ ...range, scores: { evaluatorSlug: 'judge' } })
    assert.deepEqual([byEvaluator?.scores, byEvaluator?.avgScore], [200, 0.75])
  })

  it('of a prompt are those of its traces, whichever part was judged', async () => {
    const filters = {
      where: [
        { field: 'prompt', is: ['greeting'], isOfLog: true },
        { field: 'promptVersion', is: ['1.0.0'], isOfLog: true },
      ],
    }
    const [byName] = await ask({ ...range, filters, scores: { name: 'right' } })
    assert.equal(byName?.scores, 200)
    const [ofLogs] = await ask({ ...range, filters })
    assert.equal(ofLogs?.scores, 100, 'without it, only those given to the log itself')
  })
})
