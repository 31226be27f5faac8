import assert from 'node:assert/strict'
import { test } from 'node:test'
import { allOperations, ServiceError } from '@plumbline/contract'
import { makeValidator } from './validate.ts'

test('the schema of every operation compiles, which the service finds out with the first request only', () => {
  for (const operation of allOperations) {
    const validate = makeValidator(operation)
    try {
      validate({ params: {}, query: {}, body: {} })
    } catch (error) {
      assert.ok(error instanceof ServiceError, `${operation.name}: ${error}`)
      assert.equal(error.code, 'invalid_request', operation.name)
    }
  }
  assert.ok(allOperations.length > 200)
})
