import assert from 'node:assert/strict'
import { it } from 'node:test'
import { bucketStarts, endOf, granularityFor, partWithin, startOf } from './buckets.ts'

const utc = (text: string) => new Date(`${text}Z`)

it('the longer the range, the wider its stretches, and never too many', () => {
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
    assert.ok(bucketStarts(from, to, granularity).length <= 220)
  }
})

it('weeks begin on Monday, months on their first', () => {
  assert.deepEqual(startOf(utc('2026-03-11T10:00:00'), 'week'), utc('2026-03-09T00:00:00'))
  assert.deepEqual(endOf(utc('2026-12-01T00:00:00'), 'month'), utc('2027-01-01T00:00:00'))
})

it('the first and the last stretch lead to their part within the range', () => {
  const [from, to] = [utc('2026-03-09T10:20:00'), utc('2026-03-09T12:30:00')]
  const starts = bucketStarts(from, to, 'hour')
  assert.equal(starts.length, 3)
  assert.deepEqual(partWithin(starts[0]!, 'hour', from, to), [from, utc('2026-03-09T11:00:00')])
  assert.deepEqual(partWithin(starts[2]!, 'hour', from, to), [utc('2026-03-09T12:00:00'), to])
})
