import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pino } from 'pino'
import { eventually } from '../../../fixtures/eventually.ts'
import { makeTimer } from './timer.ts'

test('a timer runs again after a failure, never twice at once, and a last time when it stops', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  const ends: PromiseWithResolvers<void>[] = []
  const timer = makeTimer({
    name: 'test',
    everyMs: 1000,
    tick: () => {
      const end = Promise.withResolvers<void>()
      ends.push(end)
      return end.promise
    },
    ticksAtStop: true,
    logger: pino({ level: 'silent' }),
  })
  await timer.start()
  t.mock.timers.tick(3000)
  assert.equal(ends.length, 1)
  ends[0]!.reject(new Error('away'))
  await eventually(async () => {
    t.mock.timers.tick(1000)
    assert.equal(ends.length, 2)
  })
  const stopped = timer.stop()
  ends[1]!.resolve()
  await eventually(async () => assert.equal(ends.length, 3))
  ends[2]!.resolve()
  await stopped
  t.mock.timers.tick(5000)
  assert.equal(ends.length, 3)
})
