import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import type { Granularity } from '../traces/metrics.ts'
import { type BucketWidth, bucketEnd, bucketStart, bucketStarts, bucketWidths } from './time-buckets.ts'
import { isTimeZone } from './time-zone.ts'

interface ReferenceCase {
  readonly timeZone: string
  readonly width: Granularity
  readonly from: string
  readonly to: string
  readonly starts: readonly string[]
}

/** From Python's zoneinfo; see `make_bucket_starts.py` beside it. */
const reference = JSON.parse(
  readFileSync(new URL('../../../fixtures/time-zones/bucket-starts.json', import.meta.url), 'utf8'),
) as readonly ReferenceCase[]

const hourMs = 3_600_000
const isoOf = (time: Date): string => time.toISOString().replace('.000Z', 'Z')

describe('buckets in a time zone', () => {
  for (const { timeZone, width: name, from, to, starts } of reference)
    it(`of a ${name} from ${from.slice(0, 16)} in ${timeZone} begin where Python has them`, () => {
      const width = bucketWidths[name]
      const own = bucketStarts(new Date(from), new Date(to), width, timeZone)
      assert.deepEqual(own.map(isoOf), starts)
      for (const [index, start] of own.entries()) {
        const endMs = bucketEnd(start.getTime(), width, timeZone)
        if (index + 1 < own.length) assert.equal(endMs, own[index + 1]!.getTime())
        assert.equal(bucketStart(start.getTime(), width, timeZone), start.getTime())
        assert.equal(bucketStart(endMs - 1, width, timeZone), start.getTime())
      }
    })

  it('follow each other without a gap, at any time in any zone', () => {
    const zones = [
      ...new Set(reference.map(({ timeZone }) => timeZone)),
      'UTC',
      '+05:30',
      'America/Boa_Vista',
    ]
    const widths: readonly BucketWidth[] = [
      ...Object.values(bucketWidths),
      ...[1000, 900_000, 2 * hourMs, 12 * hourMs, 48 * hourMs, 182 * 24 * hourMs],
    ]
    const instants = fc.oneof(
      fc.integer({ min: Date.UTC(1840, 0), max: Date.UTC(2100, 0) }),
      fc.integer({ min: Date.parse('0001-01-01T00:00:00Z'), max: Date.parse('9999-12-31T23:59:59.999Z') }),
    )
    fc.assert(
      fc.property(fc.constantFrom(...zones), fc.constantFrom(...widths), instants, (timeZone, width, ms) => {
        const startMs = bucketStart(ms, width, timeZone)
        const endMs = bucketEnd(startMs, width, timeZone)
        assert.ok(startMs <= ms && ms < endMs, `${startMs} ${ms} ${endMs}`)
        assert.equal(bucketStart(endMs - 1, width, timeZone), startMs)
        assert.equal(bucketStart(endMs, width, timeZone), endMs)
      }),
      { numRuns: 500 },
    )
  })
})

it('a zone has its IANA name, or its offset as a name', () => {
  for (const name of ['UTC', 'Europe/Berlin', 'Asia/Calcutta', 'Etc/GMT+5', '+05:30'])
    assert.ok(isTimeZone(name), name)
  for (const name of ['', 'Berlin', 'Europe/Berlim', 'UTC+1', 'Etc/Unknown', 'local'])
    assert.ok(!isTimeZone(name), name)
})
