import assert from 'node:assert/strict'
import { it } from 'node:test'
import { checkPercentage, readNumber, writeNumber } from './numbers.ts'

it('a number is read as typed, including with a comma, and scaled', () => {
  assert.equal(readNumber(' 1,5 '), 1.5)
  assert.equal(readNumber('7', 100), 0.07)
  assert.deepEqual(
    ['10', ' 2,5 ', '0.1%', '100', '0'].map((text) => readNumber(text, 100)),
    [0.1, 0.025, 0.001, 1, 0],
  )
  assert.equal(readNumber(''), undefined)
  assert.equal(readNumber('much'), Number.NaN)
})

it('a number with thousands separators is read unambiguously or rejected', () => {
  assert.equal(readNumber('1,250,000'), 1_250_000)
  assert.equal(readNumber('1.250.000'), 1_250_000)
  assert.equal(readNumber('1,234.5'), 1234.5)
  assert.equal(readNumber('1.234,5'), 1234.5)
  for (const text of ['1,000', '-12,500', '250,000']) assert.equal(readNumber(text), Number.NaN, text)
  assert.deepEqual(
    ['0,125', '0.125', '2.125', '1000,250'].map((text) => readNumber(text)),
    [0.125, 0.125, 2.125, 1000.25],
  )
})

it('a fraction is written as a percentage without rounding noise', () => {
  assert.equal(writeNumber(0.07, 100), '7')
  assert.equal(writeNumber(undefined, 100), '')
})

it('a percentage is from 0 to 100', () => {
  for (const fraction of [0, 0.5, 1]) assert.deepEqual(checkPercentage('share', fraction), [])
  for (const fraction of [undefined, Number.NaN, -0.01, 1.001])
    assert.equal(checkPercentage('share', fraction)[0]?.path, 'share')
})
