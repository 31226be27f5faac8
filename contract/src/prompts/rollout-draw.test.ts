import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { draw, isInShare } from './rollout-draw.ts'

const id = '019b0000-0000-7000-8000-00000000000a'
const keys = Array.from({ length: 25_000 }, (_, index) => `user-${index}`)
const shares = [0, 0.001, 0.01, 0.1, 0.25, 0.5, 0.9, 1]

describe('the draw of a rollout', () => {
  it('gives the candidate to the configured share: 25,000 keys are within the binomial 99.9 % interval', () => {
    const z999 = 3.2905
    for (const share of shares) {
      const participants = keys.filter((key) => isInShare({ id, share }, key)).length
      const reach = z999 * Math.sqrt(keys.length * share * (1 - share))
      assert.ok(Math.abs(participants - keys.length * share) <= reach, `${participants} at ${share}`)
    }
  })

  it('is uniform: about 250 keys are in each hundredth', () => {
    const counts = new Array<number>(100).fill(0)
    for (const key of keys) counts[Math.floor(100 * draw(id, key))]! += 1
    const expected = keys.length / counts.length
    const chiSquared = counts.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0)
    // The 99.9th percentile of chi-squared with 99 degrees of freedom.
    assert.ok(chiSquared < 148.23, String(chiSquared))
  })

  it('is sticky: a growing share moves no key back to the baseline', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme' }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (key, share) => {
          assert.equal(draw(id, key), draw(id, key))
          if (isInShare({ id, share }, key))
            for (const more of shares) assert.ok(more < share || isInShare({ id, share: more }, key))
        },
      ),
    )
  })

  it('is independent between rollouts: two halves have a quarter in common', () => {
    const both = keys.filter((key) => draw(id, key) < 0.5 && draw('another', key) < 0.5).length
    assert.ok(Math.abs(both - keys.length / 4) < 3.2905 * Math.sqrt(keys.length * 0.25 * 0.75), String(both))
  })

  it('is the first 48 bits of the hash of rollout and key, which anyone can compute', () => {
    const hex = createHash('sha256').update(`${id}:Ada 🚀`).digest('hex')
    assert.equal(draw(id, 'Ada 🚀'), Number.parseInt(hex.slice(0, 12), 16) / 2 ** 48)
  })
})
