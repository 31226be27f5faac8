import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { differenceOf } from './difference.ts'

describe('the difference of two numbers', () => {
  it('is 0 if they differ only by rounding, whatever their size', () => {
    assert.equal(differenceOf(0.1 + 0.2 + 0.3, 0.3 + 0.2 + 0.1), 0)
    assert.equal(differenceOf((0.1 + 0.2) * 1e-12, 0.3 * 1e-12), 0)
    assert.equal(differenceOf((0.1 + 0.2) * 1e12, 0.3 * 1e12), 0)
  })

  it('is exact otherwise, also for small numbers and next to 0', () => {
    assert.equal(differenceOf(3, 5), -2)
    assert.equal(differenceOf(1e-15, 0), 1e-15)
    assert.ok(differenceOf(1 + 1e-8, 1) > 0)
  })
})
