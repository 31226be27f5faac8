import assert from 'node:assert/strict'
import { it } from 'node:test'
import { checkPercentage, readNumber, writeNumber } from './numbers.ts'

it('a number is read as typed, with a comma too, and scaled', () => {
  assert.equal(readNumber(' 1,5 '), 1.5)
  assert.equal(readNumber('7', 100), 0.07)
  assert.deepEqual(
    ['10', ' 2,5 ', '0.1%', '100', '0'].map((text) => readNumber(text, 100)),
    [0.1, 0.025, 0.001, 1, 0],
  )
  assert.equal(readNumber(''), undefined)
  assert.equal(readNumber('much'), Number.NaN)
})

it('a fraction is written as a percentage without made-up digits', () => {
  assert.equal(writeNumber(0.07, 100), '7')
  assert.equal(writeNumber(undefined, 100), '')
})

it('a percentage is from 0 to 100', () => {
  for (const fraction of [0, 0.5, 1]) assert.deepEqual(checkPercentage('share', fraction), [])
  for (const fraction of [undefined, Number.NaN, -0.01, 1.001])
    assert.equal(checkPercentage('share', fraction)[0]?.path, 'share')
})
