import assert from 'node:assert/strict'
import { it } from 'node:test'
import { problemOf } from './problem.ts'

it('a failed request is reported with its cause', () => {
  const cause = new Error('getaddrinfo ENOTFOUND models.example')
  assert.equal(
    problemOf(new TypeError('fetch failed', { cause })),
    'fetch failed: getaddrinfo ENOTFOUND models.example',
  )
})

it('a cause that the message already contains is not repeated', () => {
  const cause = new Error('getaddrinfo ENOTFOUND models.example')
  const message = 'Cannot connect to API: getaddrinfo ENOTFOUND models.example'
  assert.equal(problemOf(new Error(message, { cause })), message)
})

it('an error that a provider reports within a stream is reported by its message', () => {
  const error = { type: 'overloaded_error', message: 'Overloaded' }
  for (const reported of [error, { type: 'error', error }, 'Overloaded'])
    assert.equal(problemOf(reported), 'Overloaded')
  assert.equal(problemOf({ code: 7 }), '{"code":7}')
})
