import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Deadline, maskAtOnce } from './deadline.ts'

/** Work that looks at the time until it has taken a minute. */
const workForLong = ({ isOver }: Deadline): string => {
  const endsAt = performance.now() + 60_000
  do assert.equal(isOver(), false)
  while (performance.now() < endsAt)
  return 'masked'
}

test('the main thread gives up what takes longer than its budget, and keeps what does not', () => {
  assert.equal(
    maskAtOnce(() => 'masked'),
    'masked',
  )
  assert.equal(maskAtOnce(workForLong), undefined)
})

test('what fails for another reason fails', () => {
  const fail = (): never => {
    throw new RangeError('too deep')
  }
  assert.throws(() => maskAtOnce(fail), RangeError)
})
