import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import {
  type CurrentState,
  type Measurement,
  nextState,
  type StateRule,
  type Transition,
} from './next-state.ts'

const start = Date.parse('2026-03-01T12:00:00Z')
const rule: StateRule = {
  condition: 'above',
  threshold: 10,
  recoveryThreshold: null,
  forMinutes: 0,
  keepFiringForMinutes: 0,
  minimumSamples: 1,
  noData: 'ok',
}
type Value = number | null

/** One check a minute; null is a window without data. */
function run(changes: Partial<StateRule>, values: readonly Value[]): Transition[] {
  let before: CurrentState = { state: 'ok', since: new Date(start), recoveringSince: undefined }
  return values.map((value, minute) => {
    const time = new Date(start + minute * 60_000)
    const sample: Measurement = {
      time,
      value: value ?? undefined,
      samples: value === null ? 0 : 1,
      isSum: false,
    }
    const next = nextState({ ...rule, ...changes }, before, sample)
    before = next.status
    return next
  })
}
const states = (changes: Partial<StateRule>, values: readonly Value[]): string =>
  run(changes, values)
    .map(({ status }) => status.state[0])
    .join('')

describe('an alert', () => {
  it('fires beyond the threshold, and is resolved at the threshold, which counts as good', () => {
    assert.equal(states({}, [9, 10, 11, 12, 10, 9]), 'ooffoo')
    assert.equal(states({ condition: 'below' }, [11, 10, 9, 8, 10, 11]), 'ooffoo')
  })

  it('does not treat rounding errors as a value beyond the threshold, or short of recovery', () => {
    const [cost, score] = [0.1 + 0.1 + 0.1, (0.7 + 0.7 + 0.7) / 3]
    assert.ok(cost > 0.3 && score < 0.7)
    assert.equal(states({ threshold: 0.3 }, [cost, 0.301, cost]), 'ofo')
    assert.equal(states({ condition: 'below', threshold: 0.7 }, [score, 0.699, score]), 'ofo')
    assert.equal(states({ recoveryThreshold: 0.3 }, [11, 0.301, cost]), 'ffo')
  })

  it('fires once the value has been bad for long enough', () => {
    assert.equal(states({ forMinutes: 2 }, [11, 11, 9, 11, 11, 11, 11]), 'ppoppff')
  })

  it('keeps firing until the value has been good for long enough', () => {
    assert.equal(states({ keepFiringForMinutes: 2 }, [11, 9, 9, 11, 9, 9, 9]), 'ffffffo')
  })

  it('keeps its state in the band between the threshold and the recovery threshold', () => {
    assert.equal(states({ recoveryThreshold: 5 }, [6, 11, 9, 6, 11, 6, 5, 9]), 'offfffoo')
    assert.equal(states({ condition: 'below', recoveryThreshold: 15 }, [9, 12, 15, 12]), 'ffoo')
  })

  it('stops being pending in the band', () => {
    assert.equal(states({ forMinutes: 2, recoveryThreshold: 5 }, [11, 8, 11, 11, 11]), 'popp' + 'f')
  })

  it('treats no data as good, as bad, or keeps its state', () => {
    assert.equal(states({ noData: 'ok' }, [11, null, 11]), 'fof')
    assert.equal(states({ noData: 'fire' }, [null, 9]), 'fo')
    assert.equal(states({ noData: 'keep' }, [null, 11, null, 9, null]), 'offoo')
    const [fired] = run({ noData: 'fire' }, [null])
    assert.deepEqual(fired?.event, { type: 'firing', reason: 'no_data' })
  })

  it('treats too few samples as no data, except for sums', () => {
    const before: CurrentState = { state: 'ok', since: new Date(start), recoveringSince: undefined }
    const few: Measurement = { time: new Date(start), value: 99, samples: 4, isSum: false }
    const stateOf = (sample: Measurement) =>
      nextState({ ...rule, minimumSamples: 5 }, before, sample).status.state
    assert.equal(stateOf(few), 'ok')
    assert.equal(stateOf({ ...few, samples: 5 }), 'firing')
    assert.equal(stateOf({ ...few, isSum: true }), 'firing')
  })
})

describe('for any values', () => {
  const values = fc.array(fc.option(fc.integer({ min: 0, max: 20 }), { nil: null }), { maxLength: 60 })
  const rules = fc
    .record({
      condition: fc.constantFrom('above' as const, 'below' as const),
      band: fc.integer({ min: 0, max: 5 }),
      forMinutes: fc.integer({ min: 0, max: 4 }),
      keepFiringForMinutes: fc.integer({ min: 0, max: 4 }),
      noData: fc.constantFrom('ok' as const, 'keep' as const, 'fire' as const),
    })
    .map(({ band, ...generated }) => ({
      ...generated,
      recoveryThreshold: generated.condition === 'above' ? 10 - band : 10 + band,
    }))

  it('every firing has one resolution, and no resolution comes without a firing', () => {
    fc.assert(
      fc.property(rules, values, (rule, observations) => {
        const events = run(rule, observations).flatMap(({ event }) =>
          event === undefined ? [] : [event.type],
        )
        const expected = events.map((_, index) => (index % 2 === 0 ? 'firing' : 'resolved'))
        assert.deepEqual(events, expected)
      }),
    )
  })

  it('there is an event exactly when firing begins or ends', () => {
    fc.assert(
      fc.property(rules, values, (rule, observations) => {
        let wasFiring = false
        for (const { status, event } of run(rule, observations)) {
          const isFiring = status.state === 'firing'
          assert.equal(event !== undefined, isFiring !== wasFiring)
          wasFiring = isFiring
        }
      }),
    )
  })

  it('neither a firing nor a good alert flaps within the band', () => {
    fc.assert(
      fc.property(rules, values, (rule, observations) => {
        const inBand = (value: Value): boolean =>
          value !== null &&
          (rule.condition === 'above'
            ? value > rule.recoveryThreshold && value <= 10
            : value < rule.recoveryThreshold && value >= 10)
        const looks = run(rule, observations)
        looks.forEach(({ event }, minute) => {
          if (inBand(observations[minute]!)) assert.equal(event, undefined, `minute ${minute}`)
        })
      }),
    )
  })

  it('it fires only after the value was bad, and is resolved only after it was good, for the configured time', () => {
    fc.assert(
      fc.property(rules, values, (rule, observations) => {
        const isBad = (value: Value): boolean =>
          value === null ? rule.noData !== 'ok' : rule.condition === 'above' ? value > 10 : value < 10
        const isGood = (value: Value): boolean =>
          value === null
            ? rule.noData !== 'fire'
            : rule.condition === 'above'
              ? value <= rule.recoveryThreshold
              : value >= rule.recoveryThreshold
        run(rule, observations).forEach(({ event }, minute) => {
          if (event === undefined) return
          const [minutes, fits] =
            event.type === 'firing' ? [rule.forMinutes, isBad] : [rule.keepFiringForMinutes, isGood]
          assert.ok(minute >= minutes)
          assert.ok(
            observations.slice(minute - minutes, minute + 1).every(fits),
            `${event.type} at ${minute}`,
          )
        })
      }),
    )
  })
})
