import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeCalendar } from './calendar.ts'

const nowMs = Date.UTC(2026, 5, 17, 15, 30)
const calendar = makeCalendar({ nowMs, days: 28 })
const times = Array.from({ length: 10_000 }, (_, index) => calendar.timeAt(index / 10_000))

test('later fractions have later times, all within the calendar', () => {
  for (const [index, time] of times.entries()) {
    assert.ok(time >= (times[index - 1] ?? calendar.startMs) && time <= calendar.endMs)
  }
})

test('working days are busier than Sundays, noon than night, the last week than the first', () => {
  const count = (matches: (date: Date) => boolean): number =>
    times.filter((ms) => matches(new Date(ms))).length
  assert.ok(count((date) => date.getUTCDay() === 2) > 2 * count((date) => date.getUTCDay() === 0))
  assert.ok(count((date) => date.getUTCHours() === 14) > 4 * count((date) => date.getUTCHours() === 2))
  const weekMs = 7 * 86_400_000
  assert.ok(
    count((date) => date.getTime() > calendar.endMs - weekMs) >
      1.2 * count((date) => date.getTime() < calendar.startMs + weekMs),
  )
})

test('the incident is one afternoon of a working day, for any length of the calendar', () => {
  for (const days of [1, 3, 7, 30, 365]) {
    const { startMs, isIncident } = makeCalendar({ nowMs, days })
    const hours = Array.from({ length: (days + 4) * 24 }, (_, hour) => startMs + (hour - 72) * 3_600_000)
    const troubled = hours.filter(isIncident).map((ms) => new Date(ms))
    assert.equal(troubled.length, 5)
    for (const date of troubled) assert.ok(date.getUTCDay() > 0 && date.getUTCDay() < 6)
  }
})
