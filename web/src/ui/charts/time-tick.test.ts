import assert from 'node:assert/strict'
import { it } from 'node:test'
import { timeTick } from './time-tick.ts'

it('axis ticks are days or minutes, with the year if it is not the current one', () => {
  const tick = (text: string, stepSeconds: number) =>
    timeTick(new Date(text), new Date('2026-03-09T12:00:00Z'), true, stepSeconds)
  assert.equal(tick('2026-03-09T06:00:00Z', 3600), '06:00')
  assert.equal(tick('2026-03-09T06:00:30Z', 30), '06:00:30')
  assert.equal(tick('2026-03-09T00:00:00Z', 3600), '9 Mar')
  assert.equal(tick('2026-03-09T06:00:00Z', 86_400), '9 Mar')
  assert.equal(tick('2025-12-31T00:00:00Z', 86_400), '31 Dec 2025')
})
