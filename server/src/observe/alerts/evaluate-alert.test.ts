import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { CheckedAlert } from '@plumbline/storage/control'
import type { MetricsQuery } from '@plumbline/storage/traces'
import { evaluateAlert } from './evaluate-alert.ts'
import { readRule } from './rule.ts'
import { everyMinutes, nextEvaluation, previewStep } from './windows.ts'

const noon = Date.parse('2026-03-01T12:00:00Z')
const timeAt = (seconds: number) => new Date(noon + seconds * 1000)

const alert: CheckedAlert = {
  id: 'a',
  workspaceId: 'w',
  revision: 1,
  lastOrdinal: 0,
  name: 'a',
  note: '',
  rule: readRule({ measure: 'traces', windowMinutes: 5, condition: 'below', threshold: 1 }),
  isEnabled: true,
  mutedUntil: undefined,
  createdAt: timeAt(0),
  status: {
    state: 'ok',
    since: timeAt(0),
    recoveringSince: undefined,
    notified: 'ok',
    checkedAt: timeAt(-60),
    value: 5,
    samples: 5,
    problem: undefined,
    recent: [],
  },
}

/** An empty store that records the queries it gets. */
function emptyStore() {
  const queries: MetricsQuery[] = []
  const measure = async (query: MetricsQuery) => {
    queries.push(query)
    return [{ traces: 0 }]
  }
  return { queries, measure }
}

describe('a check of an alert', () => {
  it('is at the last whole minute that ended before the delay', async () => {
    const store = emptyStore()
    const { status, nextAt, event } = await evaluateAlert(alert, store, {
      now: timeAt(95),
      storedUntil: timeAt(95),
    })
    assert.deepEqual([status.checkedAt, event?.type], [timeAt(60), 'firing'])
    assert.deepEqual(nextAt, timeAt(150))
    const [query] = store.queries
    assert.deepEqual(
      [query?.fromUs, query?.toUs],
      [BigInt(noon - 240_000) * 1000n, BigInt(noon + 60_000) * 1000n],
    )
  })

  it('continues after a clock that was ahead was set back, and counts the pending time from now', async () => {
    const store = emptyStore()
    const [ahead, now] = [timeAt(7200), timeAt(95)]
    const rule = { ...alert.rule, forMinutes: 1 }
    const recent = [[ahead.getTime(), 0]] as const
    const status = { ...alert.status, state: 'pending', since: ahead, checkedAt: ahead, recent } as const
    const first = await evaluateAlert({ ...alert, rule, status }, store, { now, storedUntil: now })
    assert.deepEqual([first.status.checkedAt, first.status.since], [timeAt(60), now])
    assert.deepEqual(first.status.recent, [[timeAt(60).getTime(), 0]])
    const later = timeAt(245)
    const second = await evaluateAlert({ ...alert, rule, status: first.status }, store, {
      now: later,
      storedUntil: later,
    })
    assert.deepEqual([second.status.checkedAt, second.event?.type], [timeAt(180), 'firing'])
  })

  it('waits for records that are still being stored, and does not treat their absence as no data', async () => {
    const store = emptyStore()
    const evaluated = await evaluateAlert(alert, store, { now: timeAt(95), storedUntil: timeAt(-30) })
    assert.deepEqual([store.queries.length, evaluated.event, evaluated.status], [0, undefined, alert.status])
    assert.deepEqual(evaluated.nextAt, timeAt(100))
    const later = await evaluateAlert(alert, store, { now: timeAt(95), storedUntil: timeAt(59) })
    assert.deepEqual([store.queries.length, later.status.checkedAt], [1, timeAt(0)])
  })

  it('queries nothing if the alert is disabled', async () => {
    const store = emptyStore()
    const { notifies, event } = await evaluateAlert({ ...alert, isEnabled: false }, store, {
      now: timeAt(95),
      storedUntil: timeAt(95),
    })
    assert.deepEqual([store.queries.length, notifies, event], [0, false, undefined])
  })
})

describe('how often an alert is checked', () => {
  it('is every minute for windows of up to six hours, and less often for longer ones', () => {
    assert.deepEqual([1, 360, 1440, 10_080].map(everyMinutes), [1, 1, 4, 28])
    const rule = { windowMinutes: 1440, delaySeconds: 30 }
    assert.deepEqual(nextEvaluation(rule, timeAt(31)), timeAt(4 * 60 + 30))
  })

  it('is limited in a preview to the number of points that can be shown', () => {
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
