import assert from 'node:assert/strict'
import { it } from 'node:test'
import { waitingReason } from './waiting-reason.ts'

const waiting = { status: 'waiting', problem: null, connectionId: 'c', model: 'm' } as const
const groups = [
  { connectionId: 'c', model: 'other', problem: 'Another.' },
  { connectionId: 'c', model: 'm', problem: 'The day’s money is spent' },
]

it('a waiting evaluation shows the problem of its model, or that it is in the queue', () => {
  assert.equal(waitingReason(waiting, groups), 'The day’s money is spent.')
  assert.equal(waitingReason({ ...waiting, model: 'free' }, groups), 'In queue.')
})

it('its own problem takes precedence', () => {
  assert.equal(waitingReason({ ...waiting, problem: 'It timed out.' }, groups), 'It timed out.')
})

it('an evaluation that is not waiting has no reason', () => {
  assert.equal(waitingReason({ ...waiting, status: 'failed', problem: 'No.' }, groups), undefined)
})
