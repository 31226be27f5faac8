import assert from 'node:assert/strict'
import { it } from 'node:test'
import { markParts } from './mark-parts.ts'

const mark = (text: string, ...words: string[]) =>
  markParts(text, words)
    .map(({ text, isMatch }) => (isMatch ? `[${text}]` : text))
    .join('')

it('words are marked case-insensitively, the longest first, and no text is lost', () => {
  assert.equal(mark('A Refund, please: refunds', 'refund'), 'A [Refund], please: [refund]s')
  assert.equal(mark('refunds', 'refund', 'refunds'), '[refunds]')
  assert.equal(mark('1+1 (a*b)', '1+1', '(a*'), '[1+1] [(a*]b)')
  assert.equal(mark('nothing', ''), 'nothing')
})
