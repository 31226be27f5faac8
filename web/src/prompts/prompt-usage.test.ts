import assert from 'node:assert/strict'
import { it } from 'node:test'
import { usageByPrompt } from './prompt-usage.ts'

it('uses and costs of a prompt add up over time, with the last interval in which it was used', () => {
  const row = (time: string, promptSlug: string, logs: number, cost: number | null) => ({
    time,
    promptSlug,
    logs,
    cost,
  })
  const usage = usageByPrompt([
    row('2026-03-09T00:00:00Z', 'greet', 2, 0.5),
    row('2026-03-08T00:00:00Z', 'greet', 3, null),
    row('2026-03-10T00:00:00Z', 'answer', 1, null),
  ])
  assert.deepEqual(usage.get('greet'), {
    uses: 5,
    cost: 0.5,
    lastUsedAt: '2026-03-09T00:00:00Z',
    course: [3, 2, 0],
  })
  assert.equal(usage.get('answer')?.cost, null)
})

it('the last use is given by the hour if hourly rows are present, whatever the interval of the range', () => {
  const row = (time: string) => ({ time, promptSlug: 'greet', logs: 1, cost: null })
  const days = [row('2026-03-08T00:00:00Z'), row('2026-03-09T00:00:00Z')]
  const hours = [row('2026-03-09T16:00:00Z'), row('2026-03-09T11:00:00Z')]
  assert.equal(usageByPrompt(days, hours).get('greet')?.lastUsedAt, '2026-03-09T16:00:00Z')
  assert.equal(usageByPrompt(hours).get('greet')?.lastUsedAt, '2026-03-09T16:00:00Z')
  assert.equal(usageByPrompt(days, []).get('greet')?.lastUsedAt, '2026-03-09T00:00:00Z')
})
