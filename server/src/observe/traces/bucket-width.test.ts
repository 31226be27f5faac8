import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { bucketStart, bucketWidth, endOfBucket } from './bucket-width.ts'

/** The range of years that the interface accepts. */
const instant = fc.bigInt({ min: -62_135_596_800_000_000n, max: 253_402_300_799_999_999n })

describe('the bucket width of a histogram', () => {
  it('never needs more buckets than the limit, for any two instants', () => {
    fc.assert(
      fc.property(instant, instant, fc.integer({ min: 2, max: 500 }), (a, b, most) => {
        const [first, last] = a < b ? [a, b] : [b, a]
        const width = bucketWidth(first, last, most)
        const needed = (bucketStart(last, width) - bucketStart(first, width)) / width + 1n
        assert.ok(needed >= 1n && needed <= BigInt(most))
        assert.ok(bucketStart(first, width) <= first && first < bucketStart(first, width) + width)
      }),
    )
  })

  it('never needs more buckets in a time zone with clock changes', () => {
    const zones = fc.constantFrom('Europe/Berlin', 'Asia/Kolkata', 'Australia/Lord_Howe', 'America/St_Johns')
    const recent = fc.bigInt({ min: 0n, max: 4_000_000_000_000_000n })
    fc.assert(
      fc.property(recent, recent, zones, fc.integer({ min: 2, max: 100 }), (a, b, timeZone, most) => {
        const [first, last] = a < b ? [a, b] : [b, a]
        const width = bucketWidth(first, last, most, timeZone)
        let [count, start] = [0, bucketStart(first, width, timeZone)]
        for (; start <= last; start = endOfBucket(start, width, timeZone)) count += 1
        assert.ok(count >= 1 && count <= most)
      }),
    )
  })

  it('is round: an hour in sixty buckets has buckets of a minute', () => {
    assert.equal(bucketWidth(0n, 3_599_999_999n, 60), 60_000_000n)
  })
})
