import { createRequire } from 'node:module'
import { type EncodingName, encodingOf } from './encoding-of.ts'
import { piecesToCount } from './pieces-to-count.ts'

/** The number of tokens of a text, and whether it is exact for the model or an estimate. */
export interface TokenCount {
  readonly tokens: number
  readonly isExact: boolean
}

/** For models with an unknown vocabulary: the newest published one comes closest. */
const nearestEncoding: EncodingName = 'o200k_base'

/**
 * Counts the tokens of a text. The count is an estimate (`isExact` false) for a model without a published vocabulary,
 * for a text with a word that is too long, and beyond half a million characters, where it uses evenly spaced samples.
 */
export function countTokens(text: string, model: string | null): TokenCount {
  if (text === '') return { tokens: 0, isExact: true }
  const ownEncoding = model === null ? undefined : encodingOf(model)
  const encoding = loadEncoding(ownEncoding ?? nearestEncoding)
  const { pieces, scale, isExact } = piecesToCount(text, encoding.word)
  let tokens = 0
  for (const piece of pieces) tokens += encoding.count(piece)
  encoding.forget()
  return {
    tokens: scale === 1 ? tokens : Math.round(tokens * scale),
    isExact: isExact && ownEncoding !== undefined,
  }
}

interface Encoding {
  /** Matches the words, which are encoded one by one. */
  readonly word: RegExp
  count(text: string): number
  /** Clears the library's cache of merged words after each count, since it holds users' text. */
  forget(): void
}

/** Loaded on first use, since each takes some 75 MB. They are public and never change. */
const loaded = new Map<EncodingName, Encoding>()

function loadEncoding(name: EncodingName): Encoding {
  const existing = loaded.get(name)
  if (existing) return existing
  const { countTokens: count, clearMergeCache } = requireVocabulary(name)
  // An empty set, since text such as <|endoftext|> is ordinary user text here.
  const options = { disallowedSpecial: new Set<string>() }
  const encoding = {
    word: wordRule(name),
    count: (text: string) => count(text, options),
    forget: clearMergeCache,
  }
  loaded.set(name, encoding)
  return encoding
}

const require = createRequire(import.meta.url)

type Vocabulary = typeof import('gpt-tokenizer/encoding/o200k_base')
type WordRules = typeof import('gpt-tokenizer/encodingParams/constants')

/** `require` loads on demand and synchronously; every vocabulary module has the same shape. */
function requireVocabulary(name: EncodingName): Vocabulary {
  return require(`gpt-tokenizer/encoding/${name}`) as Vocabulary
}

function wordRule(name: EncodingName): RegExp {
  const rules = require('gpt-tokenizer/encodingParams/constants') as WordRules
  switch (name) {
    case 'o200k_base':
      return rules.O200K_TOKEN_SPLIT_REGEX
    case 'cl100k_base':
      return rules.CL100K_TOKEN_SPLIT_REGEX
    case 'p50k_base':
    case 'r50k_base':
      return rules.R50K_TOKEN_SPLIT_REGEX
  }
}
