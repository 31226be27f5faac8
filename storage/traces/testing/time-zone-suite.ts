/** Metrics by the hours and days of a time zone on either engine. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { bucketStart, bucketWidths, type Granularity } from '@plumbline/contract'
import fc from 'fast-check'
import { propertyRuns } from '../../../fixtures/property-runs.ts'
import type { MetricsQuery } from '../metrics/metric-types.ts'
import { bucketTime } from '../metrics/time-buckets.ts'
import type { TraceRow } from '../rows/row-types.ts'
import type { TraceStore } from '../store.ts'
import { suiteStore } from './suite-store.ts'
import { testLog, testTrace } from './testing.ts'

interface ReferenceCase {
  readonly timeZone: string
  readonly width: Granularity
  readonly from: string
  readonly to: string
  readonly starts: readonly string[]
}

/** Computed with Python's zoneinfo. */
const reference = JSON.parse(
  readFileSync(new URL('../../../fixtures/time-zones/bucket-starts.json', import.meta.url), 'utf8'),
) as readonly ReferenceCase[]

const toUs = (time: string): bigint => BigInt(Date.parse(time)) * 1000n
const millisecondUs = 1000n
const hourUs = 3_600_000_000n

/** On servers the statements are the same: there some zones show that parameters work. */
export function testTimeZones(current: () => TraceStore, { isOnServers = false } = {}): void {
  const { insert, read, measured } = suiteStore(current)

  const makeTraces = (workspaceId: string, starts: readonly bigint[]): TraceRow[] =>
    starts.map((startUs, index) =>
      testTrace({
        workspaceId,
        startUs,
        featureSlug: index % 2 === 0 ? 'even' : 'odd',
        // Sums of these values are exact in any order.
        cost: index / 64,
        errors: index % 5 === 0 ? 1 : 0,
        logCount: 1,
      }),
    )

  /** One row for each bucket with traces, by bucket start. */
  const countBuckets = (traces: readonly TraceRow[], startOf: (us: bigint) => bigint) => {
    const byStart = Map.groupBy(traces, ({ startUs }) => startOf(startUs))
    return [...byStart]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([us, own]) => ({
        time: bucketTime(us),
        traces: own.length,
        cost: own.reduce((sum, { cost }) => sum + Number(cost), 0),
      }))
  }

  /** Measures from the hourly sums where possible, and from rows: sums are not grouped by name. */
  const assertMeasured = async (
    workspaceId: string,
    query: Pick<MetricsQuery, 'granularity' | 'timeZone' | 'fromUs' | 'toUs'>,
    sums: readonly object[],
    message: string,
  ): Promise<void> => {
    const where = [{ field: 'name', exists: true }]
    for (const filters of [{}, { where }]) {
      const rows = await measured(workspaceId, { measures: ['traces', 'cost'], ...query, filters })
      assert.deepEqual(rows, sums, message)
    }
    const byModel = await measured(workspaceId, { measures: ['logs'], dimensions: ['model'], ...query })
    assert.equal(
      byModel.reduce((sum, { logs }) => sum + Number(logs), 0),
      sums.reduce((sum, row) => sum + Number((row as { traces?: number }).traces), 0),
      message,
    )
  }

  test('sums by hour, day, week or month in a zone are those of its traces', async () => {
    const cases = reference
      .filter((_, index) => !isOnServers || index % 10 === 0)
      .map((reference) => {
        const [fromUs, endUs] = [toUs(reference.from), toUs(reference.to)]
        const starts = reference.starts.map(toUs)
        const stepUs = (endUs - fromUs) / 40n
        const even = Array.from({ length: 40 }, (_, index) => fromUs + BigInt(index) * stepUs + 1n)
        // Also a microsecond before and after each bucket start.
        const edges = starts.flatMap((us) => [us - 1n, us, us + 1n])
        const times = [...even, ...edges].filter((us) => us >= fromUs && us < endUs)
        const workspaceId = randomUUID()
        return { ...reference, workspaceId, fromUs, endUs, starts, traces: makeTraces(workspaceId, times) }
      })
    const traces = cases.flatMap((each) => each.traces)
    await insert({ traces, logs: traces.map((trace) => testLog(trace, { type: 'generation', model: 'm' })) })
    for (const [index, each] of cases.entries()) {
      const { workspaceId, timeZone, width, fromUs, endUs, starts, traces: own } = each
      const expected = countBuckets(own, (us) => starts.findLast((start) => start <= us)!)
      const message = `${timeZone} by ${width}`
      const query = { granularity: width, timeZone }
      // Without a range, it is taken from the stored traces.
      const range = index % 4 === 3 ? {} : { fromUs, toUs: endUs }
      await assertMeasured(workspaceId, { ...query, ...range }, expected, message)
    }
  })

  test('buckets of a zone add up to the total, whatever years traces start in', async () => {
    const zones = ['America/New_York', 'Asia/Kolkata', 'Australia/Lord_Howe']
    const workspaceId = randomUUID()
    const instants = [
      ...[1, 400, 1850, 1883, 1969, 1986, 2011, 2026, 2300, 2499, 2500, 2750, 2900, 9998].flatMap((year) =>
        Array.from({ length: 12 }, (_, month) => new Date(0).setUTCFullYear(year, month, 1 + 2 * month)),
      ),
      Date.parse('0001-01-01T00:00:00Z'),
      Date.parse('9999-12-31T23:59:59.999Z'),
    ]
    const traces = makeTraces(
      workspaceId,
      instants.map((ms, index) => BigInt(ms) * millisecondUs + BigInt(index) * 7n * millisecondUs),
    )
    await insert({ traces, logs: traces.map((trace) => testLog(trace, { type: 'generation', model: 'm' })) })
    const widths: readonly Granularity[] = isOnServers ? ['month'] : ['hour', 'day', 'month']
    for (const timeZone of isOnServers ? zones.slice(0, 1) : zones)
      for (const granularity of widths) {
        const expected = countBuckets(traces, (us) => {
          const startMs = bucketStart(Number(us / millisecondUs), bucketWidths[granularity], timeZone)
          return BigInt(startMs) * millisecondUs
        })
        await assertMeasured(
          workspaceId,
          { granularity, timeZone },
          expected,
          `${timeZone} by ${granularity}`,
        )
      }
  })

  test('a histogram by days in a zone counts each trace once', async () => {
    const workspaceId = randomUUID()
    const startUs = toUs('2026-03-20T00:00:00Z')
    const traces = makeTraces(
      workspaceId,
      Array.from({ length: 600 }, (_, index) => startUs + BigInt(index) * ((hourUs * 5n) / 7n)),
    )
    await insert({ traces })
    const zones = fc.constantFrom(
      'Europe/Berlin',
      'Asia/Kolkata',
      'Australia/Lord_Howe',
      'America/Los_Angeles',
    )
    const hours = fc.constantFrom(1n, 3n, 12n, 24n, 48n, 7n * 24n)
    const minutes = (max: number) => fc.integer({ min: 0, max })
    await fc.assert(
      fc.asyncProperty(
        zones,
        hours,
        minutes(5000),
        minutes(20_000),
        fc.boolean(),
        async (timeZone, width, first, length, isFiltered) => {
          const widthUs = width * hourUs
          const fromUs = startUs + BigInt(first) * 60_000_000n
          const endUs = fromUs + BigInt(length + 100) * 60_000_000n
          const histogram = await read(workspaceId).histogram(
            { fromUs, toUs: endUs, ...(isFiltered && { where: [{ field: 'name', exists: true }] }) },
            { chooseWidth: () => widthUs, timeZone },
          )
          const startOf = (us: bigint): bigint =>
            BigInt(bucketStart(Number(us / 1000n), Number(widthUs / 1000n), timeZone)) * 1000n
          const inRange = traces.filter((trace) => trace.startUs >= fromUs && trace.startUs < endUs)
          assert.deepEqual(
            (histogram?.buckets ?? []).map((bucket) => ({
              time: bucketTime(bucket.startUs),
              traces: bucket.traces,
              cost: bucket.cost,
            })),
            countBuckets(inRange, startOf),
          )
        },
      ),
      propertyRuns(isOnServers ? 2 : 20),
    )
  })
}
