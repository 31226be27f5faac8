import assert from 'node:assert/strict'
import { it } from 'node:test'
import { waitingReason } from './waiting-reason.ts'

const waiting = { status: 'waiting', problem: null, connectionId: 'c', model: 'm' } as const
const groups = [
  { connectionId: 'c', model: 'other', problem: 'Another.' },
  { connectionId: 'c', model: 'm', problem: 'The day’s money is spent' },
]

it('what waits says what holds up its model, or that it is in turn', () => {
  assert.equal(waitingReason(waiting, groups), 'The day’s money is spent.')
  assert.equal(waitingReason({ ...waiting, model: 'free' }, groups), 'In queue.')
})

it('its own problem goes first', () => {
  assert.equal(waitingReason({ ...waiting, problem: 'It timed out.' }, groups), 'It timed out.')
})

it('what does not wait has none', () => {
  assert.equal(waitingReason({ ...waiting, status: 'failed', problem: 'No.' }, groups), undefined)
})
