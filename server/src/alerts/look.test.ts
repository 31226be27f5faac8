import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { ClaimedAlert } from '@plumbline/storage/control'
import type { MetricsQuery } from '@plumbline/storage/traces'
import { look } from './look.ts'
import { ruleOf } from './rule.ts'
import { everyMinutes, nextLook, previewStep } from './windows.ts'

const noon = Date.parse('2026-03-01T12:00:00Z')
const at = (seconds: number) => new Date(noon + seconds * 1000)

const alert: ClaimedAlert = {
  id: 'a',
  workspaceId: 'w',
  turn: 1,
  lastOrdinal: 0,
  name: 'a',
  note: '',
  rule: ruleOf({ measure: 'traces', windowMinutes: 5, condition: 'below', threshold: 1 }),
  isEnabled: true,
  mutedUntil: undefined,
  createdAt: at(0),
  standing: {
    state: 'ok',
    since: at(0),
    recoveringSince: undefined,
    told: 'ok',
    checkedAt: at(-60),
    value: 5,
    samples: 5,
    problem: undefined,
    recent: [],
  },
}

/** A store in which nothing is, and what it was asked. */
function emptyStore() {
  const asked: MetricsQuery[] = []
  const measure = async (query: MetricsQuery) => {
    asked.push(query)
    return [{ traces: 0 }]
  }
  return { asked, measure }
}

describe('a look at an alert', () => {
  it('is at the last whole minute that ended before the delay', async () => {
    const store = emptyStore()
    const { standing, nextAt, event } = await look(alert, store, { now: at(95), storedUntil: at(95) })
    assert.deepEqual([standing.checkedAt, event?.type], [at(60), 'firing'])
    assert.deepEqual(nextAt, at(150))
    const [query] = store.asked
    assert.deepEqual(
      [query?.fromUs, query?.toUs],
      [BigInt(noon - 240_000) * 1000n, BigInt(noon + 60_000) * 1000n],
    )
  })

  it('waits for records that are on their way, and does not take their absence for silence', async () => {
    const store = emptyStore()
    const known = await look(alert, store, { now: at(95), storedUntil: at(-30) })
    assert.deepEqual([store.asked.length, known.event, known.standing], [0, undefined, alert.standing])
    assert.deepEqual(known.nextAt, at(100))
    const later = await look(alert, store, { now: at(95), storedUntil: at(59) })
    assert.deepEqual([store.asked.length, later.standing.checkedAt], [1, at(0)])
  })

  it('asks nothing where the alert is disabled', async () => {
    const store = emptyStore()
    const { tells, event } = await look({ ...alert, isEnabled: false }, store, {
      now: at(95),
      storedUntil: at(95),
    })
    assert.deepEqual([store.asked.length, tells, event], [0, false, undefined])
  })
})

describe('how often an alert is looked at', () => {
  it('is each minute up to six hours, and then as often as its window needs', () => {
    assert.deepEqual([1, 360, 1440, 10_080].map(everyMinutes), [1, 1, 4, 28])
    const rule = { windowMinutes: 1440, delaySeconds: 30 }
    assert.deepEqual(nextLook(rule, at(31)), at(4 * 60 + 30))
  })

  it('is no more often in a preview than can be shown', () => {
    assert.deepEqual(
      [
        [15, 7],
        [5, 30],
        [10_080, 30],
        [60, 1],
        [1, 366],
      ].map(([minutes = 0, days = 0]) => previewStep(minutes, days * 86_400_000)),
      [10, 30, 1440, 5, 360],
    )
  })
})
