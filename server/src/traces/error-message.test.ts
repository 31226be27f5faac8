import assert from 'node:assert/strict'
import { it } from 'node:test'
import { errorMessage } from './error-message.ts'

it('extracts the message from an error in any form', () => {
  assert.equal(errorMessage('"No such tool."'), 'No such tool.')
  assert.equal(errorMessage('{"type":"TypeError","message":"x is not a function"}'), 'x is not a function')
  assert.equal(errorMessage('{"error":{"code":429,"message":"Rate limit"}}'), 'Rate limit')
  assert.equal(errorMessage('true'), 'Failed without an error message.')
  assert.equal(errorMessage('{"status":500}'), '{"status":500}')
})

it('extracts the available part of the message from a truncated error', () => {
  assert.equal(errorMessage('"Timeout after 30 s\\nat'), 'Timeout after 30 s\nat')
  assert.equal(errorMessage('{"type":"E","message":"Upstream \\"a\\" fa'), 'Upstream "a" fa')
})
