import assert from 'node:assert/strict'
import { it } from 'node:test'
import { inTimeZone } from '../../../../fixtures/in-time-zone.ts'
import { nextNight } from './next-night.ts'

it('the night starts at its time, on the same day or the next', () => {
  const time = { hours: 3, minutes: 30 }
  assert.deepEqual(nextNight(new Date(2027, 0, 5, 3, 29), time), new Date(2027, 0, 5, 3, 30))
  assert.deepEqual(nextNight(new Date(2027, 0, 5, 3, 30), time), new Date(2027, 0, 6, 3, 30))
  assert.deepEqual(nextNight(new Date(2027, 0, 31, 12), time), new Date(2027, 1, 1, 3, 30))
})

it('the night is at its usual time after a day on which clocks skip it, and comes once if clocks show it twice', () => {
  inTimeZone('Europe/Berlin', () => {
    const next = (now: string) => nextNight(new Date(now), { hours: 2, minutes: 30 }).toISOString()
    assert.equal(next('2027-03-27T12:00:00Z'), '2027-03-28T01:30:00.000Z')
    assert.equal(next('2027-03-28T01:30:00Z'), '2027-03-29T00:30:00.000Z')
    assert.equal(next('2027-10-30T12:00:00Z'), '2027-10-31T00:30:00.000Z')
    assert.equal(next('2027-10-31T00:30:00Z'), '2027-11-01T01:30:00.000Z')
  })
})
