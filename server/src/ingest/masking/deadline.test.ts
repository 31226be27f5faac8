import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Deadline, maskAtOnce } from './deadline.ts'

/** Work that checks the time until it has taken a minute. */
const workForLong = ({ isOver }: Deadline): string => {
  const endsAt = performance.now() + 60_000
  do assert.equal(isOver(), false)
  while (performance.now() < endsAt)
  return 'masked'
}

test('the main thread gives up work that takes longer than its budget, and keeps the result of other work', () => {
  assert.equal(
    maskAtOnce(() => 'masked'),
    'masked',
  )
  assert.equal(maskAtOnce(workForLong), undefined)
})

test('other errors are thrown', () => {
  const fail = (): never => {
    throw new RangeError('too deep')
  }
  assert.throws(() => maskAtOnce(fail), RangeError)
})
