import assert from 'node:assert/strict'
import { test } from 'node:test'
import { retryAfterOf } from './retry-after.ts'

test('Retry-After is seconds or a date, and an hour at most', () => {
  const now = new Date('2026-03-01T12:00:00Z')
  const cases: [string | null | undefined, number | undefined][] = [
    ['120', 120_000],
    ['0.5', 500],
    ['Sun, 01 Mar 2026 12:01:00 GMT', 60_000],
    ['Sun, 01 Mar 2020 12:01:00 GMT', 0],
    ['9999999999', 3_600_000],
    ['9'.repeat(400), 3_600_000],
    ['Fri, 31 Dec 9999 23:59:59 GMT', 3_600_000],
    ['soon', undefined],
    [null, undefined],
    [undefined, undefined],
  ]
  for (const [header, ms] of cases)
    assert.deepEqual(retryAfterOf(header, now), ms === undefined ? {} : { retryAfterMs: ms }, String(header))
})
