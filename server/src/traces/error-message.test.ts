import assert from 'node:assert/strict'
import { it } from 'node:test'
import { errorMessage } from './error-message.ts'

it('an error in any form has its message', () => {
  assert.equal(errorMessage('"No such tool."'), 'No such tool.')
  assert.equal(errorMessage('{"type":"TypeError","message":"x is not a function"}'), 'x is not a function')
  assert.equal(errorMessage('{"error":{"code":429,"message":"Rate limit"}}'), 'Rate limit')
  assert.equal(errorMessage('true'), 'Failed without an error message.')
  assert.equal(errorMessage('{"status":500}'), '{"status":500}')
})

it('an error that is cut off has what is there of its message', () => {
  assert.equal(errorMessage('"Timeout after 30 s\\nat'), 'Timeout after 30 s\nat')
  assert.equal(errorMessage('{"type":"E","message":"Upstream \\"a\\" fa'), 'Upstream "a" fa')
})
