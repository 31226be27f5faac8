import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { v7 } from 'uuid'
import { isSampled, samplingOf } from './sample.ts'

describe('the sampling rate', () => {
  const none = { sampleRate: undefined, evaluatorRates: [], isInExperiment: false, hasReferences: false }

  it('of a trace in an experiment is 1, whatever it asks for', () => {
    const asked = { ...none, sampleRate: 0, isInExperiment: true }
    assert.deepEqual(samplingOf(asked), { sampleRate: 1, sampledBy: 'experiment' })
  })
  it('of the trace wins over those of its evaluators', () => {
    const evaluatorRates = [['polite', 0.9] as const]
    const asked = { ...none, sampleRate: 0.2, evaluatorRates, hasReferences: true }
    assert.deepEqual(samplingOf(asked), { sampleRate: 0.2, sampledBy: 'trace' })
  })
  it('is the highest of the evaluators referred to, and says whose', () => {
    const evaluatorRates = [['low', 0.1] as const, ['high', 0.75] as const, ['other', 0.3] as const]
    const asked = { ...none, evaluatorRates, hasReferences: true }
    assert.deepEqual(samplingOf(asked), { sampleRate: 0.75, sampledBy: 'evaluator:high' })
  })
  it('is the default of an evaluator when only unknown ones are referred to', () => {
    const asked = { ...none, hasReferences: true }
    assert.deepEqual(samplingOf(asked), { sampleRate: 0.1, sampledBy: 'default' })
  })
  it('is none where nothing would judge the trace', () =>
    assert.deepEqual(samplingOf(none), { sampleRate: null, sampledBy: null }))
})

describe('the sampling verdict', () => {
  it('is the same every time for the same id and rate', () => {
    fc.assert(
      fc.property(fc.uuid({ version: 7 }), fc.double({ min: 0, max: 1, noNaN: true }), (id, rate) => {
        assert.equal(isSampled(id, rate), isSampled(id, rate))
      }),
    )
  })
  it('of 0 or no rate is never, of 1 is always', () => {
    fc.assert(
      fc.property(fc.uuid({ version: 7 }), (id) => {
        assert.equal(isSampled(id, 0), false)
        assert.equal(isSampled(id, null), false)
        assert.equal(isSampled(id, 1), true)
      }),
    )
  })
  it('never falls when the rate rises', () => {
    const rate = fc.double({ min: 0, max: 1, noNaN: true })
    fc.assert(
      fc.property(fc.uuid({ version: 7 }), rate, rate, (id, one, other) => {
        if (isSampled(id, Math.min(one, other))) assert.ok(isSampled(id, Math.max(one, other)))
      }),
    )
  })
  for (const rate of [0, 0.01, 0.1, 0.5, 1]) {
    it(`of ${rate} draws within the 99.9 % binomial interval of 100,000 ids`, () => {
      const count = 100_000
      let drawn = 0
      // A fixed seed: the ids are those of one second, with their random part taken from a counter, so the test is repeatable.
      for (let i = 0; i < count; i++) {
        const random = new Uint8Array(16)
        new DataView(random.buffer).setUint32(8, i * 2_654_435_761)
        if (isSampled(v7({ random, msecs: 1_700_000_000_000 + (i % 1000), seq: i }), rate)) drawn += 1
      }
      const deviation = 3.29 * Math.sqrt(count * rate * (1 - rate))
      assert.ok(Math.abs(drawn - count * rate) <= deviation, `${drawn} of ${count}`)
    })
  }
})
