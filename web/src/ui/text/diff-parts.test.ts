import assert from 'node:assert/strict'
import { it } from 'node:test'
import { foldSame, lineDiff, wordDiff } from './diff-parts.ts'

it('words that changed are marked in running text', () => {
  const parts = wordDiff('You are kind.', 'You are brief.')
  assert.deepEqual(
    parts.map(({ change, text }) => [change, text]),
    [
      ['same', 'You are '],
      ['removed', 'kind'],
      ['added', 'brief'],
      ['same', '.'],
    ],
  )
})

it('a changed line appears twice, with its words marked and its line numbers', () => {
  const lines = lineDiff('a\nb one\nc\n', 'a\nb two\nc\nd\n')
  assert.deepEqual(
    lines.map(({ change, before, after, parts }) => [
      change,
      before,
      after,
      parts.map(({ text }) => text).join('|'),
    ]),
    [
      ['same', 1, 1, 'a'],
      ['removed', 2, undefined, 'b |one'],
      ['added', undefined, 2, 'b |two'],
      ['same', 3, 3, 'c'],
      ['added', undefined, 4, 'd'],
    ],
  )
})

it('long runs of unchanged lines are collapsed', () => {
  const text = Array.from({ length: 20 }, (_, index) => `line ${index}`).join('\n')
  const folded = foldSame(lineDiff(text, `${text}\nmore`), 2)
  assert.equal(folded[0]?.change, 'folded')
  assert.equal(folded.length, 1 + 2 + 1)
})
