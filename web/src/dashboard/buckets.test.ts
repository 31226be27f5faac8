import assert from 'node:assert/strict'
import { it } from 'node:test'
import { readRange } from '../app/range/range.ts'
import { granularityFor, partWithin, startBefore, stretchOf } from './buckets.ts'

const utc = (text: string) => new Date(`${text}Z`)
/** Long afterwards, so that no range is still in progress. */
const now = utc('2030-01-01T00:00:00')
const stretch = (start: Date, end: Date, timeZone = 'UTC') =>
  stretchOf({ text: '', from: start, to: end }, now, timeZone)

it('the longer the range, the wider its buckets, and never too many', () => {
  const to = utc('2026-03-09T12:34:00')
  for (const [days, granularity] of [
    [1 / 24, 'minute'],
    [1, 'hour'],
    [7, 'hour'],
    [30, 'day'],
    [90, 'day'],
    [400, 'week'],
    [3000, 'month'],
  ] as const) {
    const from = new Date(to.getTime() - days * 86_400_000)
    assert.equal(granularityFor(from, to), granularity)
    for (const timeZone of ['UTC', 'America/Los_Angeles', 'Australia/Lord_Howe', 'Asia/Kathmandu'])
      assert.ok(stretch(from, to, timeZone).times.length <= 220)
  }
})

it('the first and the last bucket are clipped to the range', () => {
  const [from, to] = [utc('2026-03-09T10:20:00'), utc('2026-03-09T16:30:00')]
  const hours = stretch(from, to)
  assert.equal(hours.times.length, 7)
  assert.deepEqual(partWithin(hours.times[0]!, hours), [from, utc('2026-03-09T11:00:00')])
  assert.deepEqual(partWithin(hours.times[6]!, hours), [utc('2026-03-09T16:00:00'), to])
})

it('the bar of a day covers the day of the time zone, also if it has 23 hours', () => {
  const days = stretch(utc('2026-03-20T00:00:00'), utc('2026-04-20T00:00:00'), 'Europe/Berlin')
  assert.equal(days.granularity, 'day')
  const sunday = utc('2026-03-28T23:00:00')
  assert.ok(days.times.some((time) => time.getTime() === sunday.getTime()))
  assert.deepEqual(partWithin(sunday, days), [sunday, utc('2026-03-29T22:00:00')])
})

it('the previous period is as long, and for whole days has as many days', () => {
  const part = { from: utc('2026-03-29T10:00:00'), to: utc('2026-03-29T16:00:00'), timeZone: 'Europe/Berlin' }
  assert.deepEqual(startBefore(part), utc('2026-03-29T04:00:00'))
  const week = { from: utc('2026-03-28T23:00:00'), to: utc('2026-04-04T22:00:00'), timeZone: 'Europe/Berlin' }
  assert.deepEqual(startBefore(week), utc('2026-03-21T23:00:00'))
  assert.deepEqual(startBefore({ ...week, timeZone: 'UTC' }), utc('2026-03-22T00:00:00'))
})

it('a range in progress ends with this minute, so that it is compared with a period of the same length', () => {
  const today = new Date('2026-03-09T17:12:42Z')
  const endOf = (text: string) => stretchOf(readRange(text, today), today, 'UTC').to.toISOString()
  assert.equal(endOf('24h'), '2026-03-09T17:13:00.000Z')
  assert.equal(endOf('2026-03-09T00:00:00Z..2026-03-10T00:00:00Z'), '2026-03-09T17:13:00.000Z')
  assert.equal(endOf('2026-03-08T00:00:00Z..2026-03-09T00:00:00Z'), '2026-03-09T00:00:00.000Z')
  assert.equal(endOf('2026-03-10T00:00:00Z..2026-03-11T00:00:00Z'), '2026-03-11T00:00:00.000Z')
})
