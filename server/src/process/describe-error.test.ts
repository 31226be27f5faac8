import assert from 'node:assert/strict'
import { it } from 'node:test'
import { describeError } from './describe-error.ts'

const serialize = (error: unknown): string => JSON.stringify(describeError(error))

it('keeps what shows an operator where to look (L10)', () => {
  const error = new TypeError("Cannot read properties of undefined (reading 'slug')")
  assert.match(serialize(error), /"type":"TypeError","message":"Cannot read .*'slug'.*"stack":" *at /)
  assert.match(
    serialize(Object.assign(new Error('No connection.'), { code: 'ECONNREFUSED' })),
    /"code":"ECONNREFUSED"/,
  )
})

it('leaves out what a parser or a store quotes, also in causes and other fields (L10)', () => {
  const secret = 'sk-ada 4111'
  const errors = [
    new Error('Failed.', { cause: new Error(`invalid input syntax for type integer: "${secret}"`) }),
    Object.assign(new Error('duplicate key'), { detail: `Key (email)=(${secret})`, input: secret }),
    new Error(`Cannot parse '${secret}' before: "${secret}`),
  ]
  for (const read of [
    () => JSON.parse(secret),
    () => BigInt(secret),
    () => new RegExp(`(${secret}`),
    () => new URL(secret),
  ])
    assert.throws(read, (error: Error) => errors.push(error) > 0)
  for (const error of errors) assert.doesNotMatch(serialize(error), /4111/, error.message)
})
