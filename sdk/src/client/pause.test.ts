import assert from 'node:assert/strict'
import { it } from 'node:test'
import { makePause } from './pause.ts'

it('the length of a pause does not depend on changes of the system clock', ({ mock }) => {
  mock.timers.enable({ apis: ['Date'], now: 7_200_000 })
  const pause = makePause({ pauseMsMin: 100, pauseMsMax: 100 })
  pause.recordFailure(0, 1)
  mock.timers.setTime(0)
  assert.ok(pause.remainingMs() <= 1_000)
})
