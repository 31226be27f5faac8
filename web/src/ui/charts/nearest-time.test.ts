import assert from 'node:assert/strict'
import { it } from 'node:test'
import { nearestTime } from './nearest-time.ts'

const days = [1, 2, 3].map((day) => new Date(Date.UTC(2026, 2, day)))

it('a row belongs to the bucket with the same start, or to the nearest if time zone rules differ', () => {
  for (const day of days) assert.equal(nearestTime(days, day.toISOString()), day.getTime())
  assert.equal(nearestTime(days, '2026-03-01T23:00:00.000000Z'), days[1]?.getTime())
  assert.equal(nearestTime(days, '2026-03-02T01:00:00.000000Z'), days[1]?.getTime())
  assert.equal(nearestTime(days, '2026-02-28T23:00:00.000000Z'), days[0]?.getTime())
  assert.equal(nearestTime(days, '2026-03-03T01:00:00.000000Z'), days[2]?.getTime())
  assert.equal(nearestTime([], '2026-03-03T01:00:00.000000Z'), undefined)
})
