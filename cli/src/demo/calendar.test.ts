import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeCalendar } from './calendar.ts'

const nowMs = Date.UTC(2026, 5, 17, 15, 30)
const calendar = makeCalendar({ nowMs, days: 28 })
const times = Array.from({ length: 10_000 }, (_, at) => calendar.timeAt(at / 10_000))

test('later shares come later, and all of them within the calendar', () => {
  for (const [at, time] of times.entries()) {
    assert.ok(time >= (times[at - 1] ?? calendar.startMs) && time <= calendar.endMs)
  }
})

test('working days are busier than Sundays, noon than night, the last week than the first', () => {
  const count = (matches: (at: Date) => boolean): number => times.filter((ms) => matches(new Date(ms))).length
  assert.ok(count((at) => at.getUTCDay() === 2) > 2 * count((at) => at.getUTCDay() === 0))
  assert.ok(count((at) => at.getUTCHours() === 14) > 4 * count((at) => at.getUTCHours() === 2))
  const weekMs = 7 * 86_400_000
  assert.ok(
    count((at) => at.getTime() > calendar.endMs - weekMs) >
      1.2 * count((at) => at.getTime() < calendar.startMs + weekMs),
  )
})

test('the incident is one afternoon of a working day, whatever the length of the calendar', () => {
  for (const days of [1, 3, 7, 30, 365]) {
    const { startMs, isIncident } = makeCalendar({ nowMs, days })
    const hours = Array.from({ length: (days + 4) * 24 }, (_, hour) => startMs + (hour - 72) * 3_600_000)
    const troubled = hours.filter(isIncident).map((ms) => new Date(ms))
    assert.equal(troubled.length, 5)
    for (const at of troubled) assert.ok(at.getUTCDay() > 0 && at.getUTCDay() < 6)
  }
})
