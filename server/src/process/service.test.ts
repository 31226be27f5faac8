import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pino } from 'pino'
import { makeServices, type Service } from './service.ts'

const logger = pino({ level: 'silent' })

test('services start in order and stop in reverse, and one that fails to stop does not block the others', async () => {
  const events: string[] = []
  const service = (name: string): Service => ({
    name,
    start: () => void events.push(`start ${name}`),
    async stop() {
      events.push(`stop ${name}`)
      if (name === 'b') throw new Error('It does not stop.')
    },
    drained: async () => void events.push(`drained ${name}`),
  })
  const services = makeServices(['a', 'b', 'c'].map(service), logger)
  await services.start()
  await services.drained()
  await services.stop()
  assert.deepEqual(events, [
    'start a',
    'start b',
    'start c',
    'drained a',
    'drained b',
    'drained c',
    'stop c',
    'stop b',
    'stop a',
  ])
})
