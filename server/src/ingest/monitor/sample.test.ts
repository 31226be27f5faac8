import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { v7 } from 'uuid'
import { seededRandom } from '../../statistics/seeded-random.ts'
import { z999 } from '../../statistics/wilson.ts'
import { traceIdOf } from '../otlp/trace-id.ts'
import { isSampled, samplingOf } from './sample.ts'

describe('the sampling rate', () => {
  const none = { sampleRate: undefined, evaluatorRates: [], isInExperiment: false, hasReferences: false }

  it('of a trace in an experiment is 1, regardless of its own rate', () => {
    const context = { ...none, sampleRate: 0, isInExperiment: true }
    assert.deepEqual(samplingOf(context), { sampleRate: 1, sampledBy: 'experiment' })
  })
  it('of the trace takes precedence over those of its evaluators', () => {
    const evaluatorRates = [['polite', 0.9] as const]
    const context = { ...none, sampleRate: 0.2, evaluatorRates, hasReferences: true }
    assert.deepEqual(samplingOf(context), { sampleRate: 0.2, sampledBy: 'trace' })
  })
  it('is the highest of the referenced evaluators, and records which one has it', () => {
    const evaluatorRates = [['low', 0.1] as const, ['high', 0.75] as const, ['other', 0.3] as const]
    const context = { ...none, evaluatorRates, hasReferences: true }
    assert.deepEqual(samplingOf(context), { sampleRate: 0.75, sampledBy: 'evaluator:high' })
  })
  it("is an evaluator's default if only unknown evaluators are referenced", () => {
    const context = { ...none, hasReferences: true }
    assert.deepEqual(samplingOf(context), { sampleRate: 0.1, sampledBy: 'default' })
  })
  it('is none if no evaluator applies to the trace', () =>
    assert.deepEqual(samplingOf(none), { sampleRate: null, sampledBy: null }))
})

describe('the sampling verdict', () => {
  it('is always the same for the same id and rate', () => {
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
  it('never turns from sampled to unsampled when the rate rises', () => {
    const rate = fc.double({ min: 0, max: 1, noNaN: true })
    fc.assert(
      fc.property(fc.uuid({ version: 7 }), rate, rate, (id, first, second) => {
        if (isSampled(id, Math.min(first, second))) assert.ok(isSampled(id, Math.max(first, second)))
      }),
    )
  })
  const ways = { 'records get': sentIds(), 'traces of OpenTelemetry get': otelIds() }
  for (const [way, ids] of Object.entries(ways)) {
    for (const rate of [0, 0.01, 0.1, 0.5, 1]) {
      it(`of ${rate} draws within the 99.9 % binomial interval of 100,000 ids such as ${way}`, () => {
        const sampledCount = ids.filter((id) => isSampled(id, rate)).length
        const reach = z999 * Math.sqrt(ids.length * rate * (1 - rate))
        assert.ok(Math.abs(sampledCount - ids.length * rate) <= reach, `${sampledCount} of ${ids.length}`)
      })
    }
  }
  it('is the same on every node', () => {
    const ids = [...sentIds(20_000), ...otelIds(20_000)]
    const module = new URL('./sample.ts', import.meta.url).href
    const script = `
      const { isSampled } = await import(${JSON.stringify(module)})
      let text = ''
      for await (const piece of process.stdin) text += piece
      process.stdout.write(JSON.parse(text).map((id) => Number(isSampled(id, 0.1))).join(''))`
    const other = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
      input: JSON.stringify(ids),
      encoding: 'utf8',
      maxBuffer: 2 ** 20,
    })
    assert.equal(other.stdout, ids.map((id) => Number(isSampled(id, 0.1))).join(''), other.stderr)
  })
})

/** Ids like those of `newId`, two hundred per millisecond, with the same random bits in each run. */
function sentIds(count = 100_000): string[] {
  const random = seededRandom(1)
  return Array.from({ length: count }, (_, index) =>
    v7({
      msecs: 1_700_000_000_000 + Math.floor(index / 200),
      random: Uint8Array.from({ length: 16 }, () => random() * 256),
    }),
  )
}

/** Ids like those of OpenTelemetry traces, from the same OpenTelemetry ids in each run. */
function otelIds(count = 100_000): string[] {
  const random = seededRandom(2)
  const digits = (): string => Math.floor(random() * 16).toString(16)
  return Array.from({ length: count }, (_, index) => {
    const otelTraceId = Array.from({ length: 32 }, digits).join('')
    return traceIdOf({ workspaceId: 'any', otelTraceId, firstAtMs: 1_700_000_000_000 + index }, null)
  })
}
