import assert from 'node:assert/strict'
import { it } from 'node:test'
import { readNumber, writeNumber } from './numbers.ts'

it('a number is read as typed, with a comma too, and scaled', () => {
  assert.equal(readNumber(' 1,5 '), 1.5)
  assert.equal(readNumber('7', 100), 0.07)
  assert.equal(readNumber(''), undefined)
  assert.equal(readNumber('much'), Number.NaN)
})

it('a fraction is written as a percentage without made-up digits', () => {
  assert.equal(writeNumber(0.07, 100), '7')
  assert.equal(writeNumber(undefined, 100), '')
})
