import assert from 'node:assert/strict'
import { it } from 'node:test'
import { makePause } from './pause.ts'

it('a pause is as long as it is, whatever becomes of the clock of the machine', ({ mock }) => {
  mock.timers.enable({ apis: ['Date'], now: 7_200_000 })
  const pause = makePause({ pauseMsMin: 100, pauseMsMax: 100 })
  pause.recordFailure(0, 1)
  mock.timers.setTime(0)
  assert.ok(pause.remainingMs() <= 1_000)
})
