import assert from 'node:assert/strict'
import { it } from 'node:test'
import { type RunEvent, sumOfRuns, waiting, withEvent } from './run.ts'

const done: RunEvent = {
  type: 'done',
  finishReason: 'stop',
  usage: { inputTokens: 3, outputTokens: 4, reasoning: 0, cacheRead: 0 },
  cost: 0.5,
  durationMs: 20,
  firstTokenMs: 5,
}

it('a run accumulates its events and ends with usage, cost and time', () => {
  const events: RunEvent[] = [
    { type: 'reasoning', text: 'Hm.' },
    { type: 'text', text: 'Po' },
    { type: 'text', text: 'ng' },
    { type: 'toolCall', id: '1', name: 'look', arguments: {} },
    done,
  ]
  const run = events.reduce(withEvent, waiting)
  assert.deepEqual([run.state, run.text, run.reasoning, run.toolCalls.length], ['done', 'Pong', 'Hm.', 1])
  assert.equal(run.doneEvent?.cost, 0.5)
})

it('a failed run keeps its partial output, and several runs are summed up', () => {
  const failed = withEvent(withEvent(waiting, { type: 'text', text: 'Po' }), { type: 'error', error: 'No.' })
  assert.deepEqual([failed.state, failed.text, failed.problem], ['failed', 'Po', 'No.'])
  assert.deepEqual(sumOfRuns([failed, withEvent(waiting, done)]), {
    count: 2,
    done: 1,
    failed: 1,
    cost: 0.5,
    tokens: 7,
    medianMs: 20,
  })
})
