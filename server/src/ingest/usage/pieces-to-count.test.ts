import assert from 'node:assert/strict'
import { it } from 'node:test'
import fc from 'fast-check'
import { hasLongRun } from './pieces-to-count.ts'

it('finds a long run of spaces or of other characters anywhere', () => {
  const spaces = ' \t\n\v\f\r\u00a0\u1680\u2000\u200a\u2028\u2029\u202f\u205f\u3000\ufeff'
  const character = fc.oneof(
    fc.constantFrom(...spaces),
    fc.constantFrom('a', '.', '今', '\ud83d', '\u200b', '\u180e'),
  )
  const run = fc
    .tuple(character, fc.oneof(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 120, max: 136 })))
    .map(([unit, length]) => unit.repeat(length))
  fc.assert(
    fc.property(fc.array(run, { maxLength: 40 }), (runs) => {
      const text = runs.join('')
      assert.equal(hasLongRun(text), /\S{128}|\s{128}/.test(text))
    }),
    { numRuns: 2000 },
  )
})
