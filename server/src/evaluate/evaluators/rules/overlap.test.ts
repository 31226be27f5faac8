import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { bleu, rougeL } from './overlap.ts'
import { wordsOf } from './words.ts'

const assertNear = (actual: number, reference: number): void =>
  assert.ok(Math.abs(actual - reference) < 1e-12, `${actual} is not ${reference}`)

describe('ROUGE-L', () => {
  // Lin, ROUGE: A Package for Automatic Evaluation of Summaries (2004), section 3.1.
  const reference = wordsOf('police killed the gunman')

  it('is 3/4 and 2/4 for the two sentences with which Lin shows that order counts', () => {
    assertNear(rougeL(wordsOf('police kill the gunman'), reference), 3 / 4)
    assertNear(rougeL(wordsOf('the gunman kill police'), reference), 2 / 4)
  })

  it('is 0 for an empty text, and 1 for equal texts', () => {
    assert.equal(rougeL([], reference), 0)
    assert.equal(rougeL(reference, reference), 1)
  })
})

describe('BLEU', () => {
  // Papineni and others (2002), example 1, with the result in NLTK's documentation of sentence_bleu.
  const references = [
    'It is a guide to action that ensures that the military will forever heed Party commands',
    'It is the guiding principle which guarantees the military forces always being under the command of the Party',
    'It is the practical guide for the army always to heed the directions of the party',
  ].map(wordsOf)

  it('is 0.5046 for the first candidate of Papineni and others', () => {
    const candidate =
      'It is a guide to action which ensures that the military always obeys the commands of the party'
    assertNear(bleu(wordsOf(candidate), references), 0.5045666840058485)
  })

  it('counts a word at most as often as a reference has it: 2/7 for their second example, with single words', () => {
    const words = wordsOf('the the the the the the the')
    const value = bleu(words, [wordsOf('The cat is on the mat'), wordsOf('There is a cat on the mat')])
    assertNear(value, (2 / 7) ** 0.25 * (0.1 / 6) ** 0.25 * (0.1 / 5) ** 0.25 * (0.1 / 4) ** 0.25)
  })

  it('is lower for a text that is too short, and 0 for one without a common word', () => {
    assertNear(bleu(['a', 'b'], [['a', 'b', 'c', 'd']]), Math.exp(-1))
    assert.equal(bleu(['x'], [['a']]), 0)
    assert.equal(bleu([], [['a']]), 0)
  })

  it('is from 0 to 1, and 1 for equal texts', () => {
    const words = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 8 })
    fc.assert(
      fc.property(words, words, (first, second) => {
        const value = bleu(first, [second])
        assert.ok(value >= 0 && value <= 1 + 1e-12)
        if (first.length > 0) assertNear(bleu(first, [first]), 1)
      }),
    )
  })
})

describe('words', () => {
  it('are letters and digits in lower case; in scripts without spaces, each character is a word', () => {
    assert.deepEqual(wordsOf('Hé, x2! 東京 OK日本'), ['hé', 'x2', '東', '京', 'ok', '日', '本'])
    assert.deepEqual(wordsOf('…'), [])
  })
})
