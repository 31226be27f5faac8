import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { LedgerEntry } from '@plumbline/sdk'
import { bucketsOf, hoursOf, reasonsOf, sumOf } from './sum-entries.ts'

const entry = (hour: string, fields: Partial<LedgerEntry> = {}): LedgerEntry => ({
  hour: `2026-03-09T${hour}:00:00.000Z`,
  apiKeyId: 'a',
  received: 3,
  stored: 2,
  deduplicated: 0,
  rejected: 1,
  sampled: 1,
  sampledOut: 0,
  reasons: [],
  ...fields,
})

it('a range includes the hours in which it starts and ends', () => {
  const range = { from: new Date('2026-03-09T16:44:00Z'), to: new Date('2026-03-09T17:29:00Z') }
  assert.deepEqual(hoursOf(range), {
    from: new Date('2026-03-09T16:00:00Z'),
    to: new Date('2026-03-09T18:00:00Z'),
  })
  assert.equal(hoursOf({ ...range, to: undefined }).to, undefined)
})

it('counts add up', () => {
  assert.deepEqual(sumOf([entry('10'), entry('11')]), {
    received: 6,
    stored: 4,
    deduplicated: 0,
    rejected: 2,
    sampled: 2,
    sampledOut: 0,
  })
})

it('hours without records are zero, and a long range is summed by day', () => {
  const from = new Date('2026-03-09T10:20:00Z')
  const entries = [entry('10'), entry('10', { apiKeyId: 'b' }), entry('12')]
  const hours = bucketsOf(entries, from, new Date('2026-03-09T12:30:00Z'), 'Asia/Kolkata')
  assert.deepEqual(
    hours.map(({ time, sums }) => [time.getUTCHours(), sums.received]),
    [
      [10, 6],
      [11, 0],
      [12, 3],
    ],
  )
  const days = bucketsOf(entries, from, new Date('2026-03-19T00:00:00Z'), 'UTC')
  assert.deepEqual(
    days.map(({ sums }) => sums.received),
    [9, 0, 0, 0, 0, 0, 0, 0, 0, 0],
  )
  const inSydney = bucketsOf(
    [entry('12'), entry('13')],
    from,
    new Date('2026-03-19T00:00:00Z'),
    'Australia/Sydney',
  )
  assert.deepEqual(
    inSydney.slice(0, 2).map(({ time, sums }) => [time.toISOString(), sums.received]),
    [
      ['2026-03-08T13:00:00.000Z', 3],
      ['2026-03-09T13:00:00.000Z', 3],
    ],
  )
})

it('reasons are summed over hours and keep the latest sample', () => {
  const reason = (lastAt: string, lastSample: string, count: number) => ({
    reason: 'invalid_request',
    count,
    lastAt,
    lastSample,
  })
  const reasons = reasonsOf([
    entry('10', { reasons: [reason('2026-03-09T10:05:00Z', 'old', 2)] }),
    entry('11', {
      reasons: [
        reason('2026-03-09T11:05:00Z', 'new', 1),
        { ...reason('2026-03-09T11:06:00Z', 'x', 9), reason: 'rate_limited' },
      ],
    }),
  ])
  assert.deepEqual(
    reasons.map(({ reason, count, lastSample }) => [reason, count, lastSample]),
    [
      ['rate_limited', 9, 'x'],
      ['invalid_request', 3, 'new'],
    ],
  )
})
