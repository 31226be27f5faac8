import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { modelToEncodingMap } from 'gpt-tokenizer/mapping'
import { countTokens } from './count-tokens.ts'
import { encodingOf } from './encoding-of.ts'
import { piecesToCount, textCharsMax, wordCharsMax } from './pieces-to-count.ts'

const require = createRequire(import.meta.url)
const { O200K_TOKEN_SPLIT_REGEX: word } =
  require('gpt-tokenizer/encodingParams/constants') as typeof import('gpt-tokenizer/encodingParams/constants')

describe('countTokens', () => {
  it('counts with the vocabulary of the model', () => {
    assert.deepEqual(countTokens('The quick brown fox jumps over the lazy dog.', 'gpt-4o'), {
      tokens: 10,
      isExact: true,
    })
    assert.deepEqual(countTokens('hello world', 'gpt-4o-mini-2024-07-18'), { tokens: 2, isExact: true })
    assert.deepEqual(countTokens('안녕하세요', 'gpt-4o'), { tokens: 2, isExact: true })
    assert.deepEqual(countTokens('안녕하세요', 'gpt-4'), { tokens: 5, isExact: true })
    assert.deepEqual(countTokens('hello world', 'text-davinci-003'), { tokens: 2, isExact: true })
  })

  it('estimates for a model without a published vocabulary, and without a model', () => {
    assert.deepEqual(countTokens('hello world', 'claude-sonnet-4-5'), { tokens: 2, isExact: false })
    assert.deepEqual(countTokens('hello world', null), { tokens: 2, isExact: false })
  })

  it('counts 0 for an empty text', () => {
    assert.deepEqual(countTokens('', null), { tokens: 0, isExact: true })
  })

  it('reads special tokens in a text as ordinary text', () => {
    for (const model of ['gpt-4o', 'gpt-4', 'text-davinci-003', 'gpt2']) {
      const { tokens, isExact } = countTokens('<|endoftext|><|im_start|> and <|endofprompt|>', model)
      assert.ok(tokens > 10 && isExact, model)
    }
  })

  it('marks a text with a word too long to encode as an estimate', () => {
    const long = countTokens(`${'a'.repeat(10_000)} end`, 'gpt-4o')
    assert.equal(long.isExact, false)
    assert.ok(Math.abs(long.tokens - 1251) < 50, String(long.tokens))
  })

  it('counts a long line of short words exactly, also without spaces', () => {
    const line = '你好，世界。'.repeat(500)
    const { tokens, isExact } = countTokens(line, 'gpt-4o')
    assert.equal(isExact, true)
    assert.ok(tokens >= 1000)
  })

  it('estimates a text of 16 MiB from samples, close to the sum of its parts', () => {
    const sentence = 'The quick brown fox jumps over the lazy dog. '
    const text = sentence.repeat(Math.ceil(2 ** 24 / sentence.length))
    const { tokens, isExact } = countTokens(text, 'gpt-4o')
    assert.equal(isExact, false)
    assert.ok(Math.abs(tokens / ((text.length / sentence.length) * 10) - 1) < 0.01, String(tokens))
  })

  it('counts 16 MiB of one character, in any script', () => {
    for (const character of ['a', '我', ' ', '=', '\n', '😀', '\ud800', '7']) {
      assert.ok(countTokens(character.repeat(2 ** 24 / character.length), null).tokens > 0)
    }
  })

  it('never throws, and returns an integer', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 400 }),
        fc.constantFrom('gpt-4o', 'gpt-4', 'gpt2', null),
        (text, model) => {
          assert.ok(Number.isInteger(countTokens(text, model).tokens))
        },
      ),
    )
  })
})

describe('the pieces that reach the encoder', () => {
  const runs = fc
    .array(
      fc.tuple(
        fc.constantFrom('a', 'B', '我', ' ', '\n', '=', '9', '😀', "'s", 'é', '/'),
        fc.integer({ min: 1, max: 2000 }),
      ),
    )
    .map((parts) => parts.map(([text, times]) => text.repeat(times)).join(''))

  it('have no word longer than the bound, and together are the text', () => {
    fc.assert(
      fc.property(runs, (text) => {
        const { pieces } = piecesToCount(text, word)
        assert.equal(pieces.join(''), text)
        for (const piece of pieces) {
          for (const [match] of piece.matchAll(word)) assert.ok(match.length <= wordCharsMax)
        }
      }),
      // Punctuation and the line breaks after it are one word.
      { examples: [[`${'='.repeat(9)}${'\n'.repeat(250)}`]] },
    )
  })

  it('have a bounded total length, however long the text', () => {
    const text = 'word '.repeat(2 ** 20)
    const { pieces, scale, isExact } = piecesToCount(text, word)
    const length = pieces.reduce((sum, piece) => sum + piece.length, 0)
    assert.equal(length, textCharsMax)
    assert.equal(length * scale, text.length)
    assert.equal(isExact, false)
  })
})

describe('encodingOf', () => {
  it('agrees with the list of the tokenizer library on every text model it names', () => {
    const sameVocabulary: Record<string, string> = {
      o200k_harmony: 'o200k_base',
      p50k_edit: 'p50k_base',
      gpt2: 'r50k_base',
    }
    for (const [model, encoding] of Object.entries(modelToEncodingMap)) {
      const ours = encodingOf(model)
      if (ours !== undefined) assert.equal(ours, sameVocabulary[encoding] ?? encoding, model)
    }
  })

  it('recognizes names that gateways and fine-tunes give', () => {
    assert.equal(encodingOf('openai/gpt-4o'), 'o200k_base')
    assert.equal(encodingOf('ft:gpt-3.5-turbo-0125:acme::abc'), 'cl100k_base')
    assert.equal(encodingOf('openai.gpt-oss-120b-1:0'), 'o200k_base')
    assert.equal(encodingOf('o3-mini'), 'o200k_base')
    assert.equal(encodingOf('constructor'), undefined)
    assert.equal(encodingOf('claude-3-5-sonnet'), undefined)
  })
})
