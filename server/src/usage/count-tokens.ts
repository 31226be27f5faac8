import { createRequire } from 'node:module'
import { type EncodingName, encodingOf } from './encoding-of.ts'
import { piecesToCount } from './pieces-to-count.ts'

/** How many tokens a text has, and whether that is the model's own count or an estimate. */
export interface TokenCount {
  readonly tokens: number
  readonly isExact: boolean
}

/** Said of a model whose vocabulary is not known: the newest published one comes closest. */
const nearestEncoding: EncodingName = 'o200k_base'

/**
 * The tokens of a text. An estimate (`isExact` false) is made when the model has no vocabulary we carry, when
 * a word had to be cut, and beyond half a million characters, where evenly spaced samples stand for the text.
 */
export function countTokens(text: string, model: string | null): TokenCount {
  if (text === '') return { tokens: 0, isExact: true }
  const known = model === null ? undefined : encodingOf(model)
  const encoding = loadEncoding(known ?? nearestEncoding)
  const { pieces, scale, isExact } = piecesToCount(text, encoding.word)
  let tokens = 0
  for (const piece of pieces) tokens += encoding.count(piece)
  encoding.forget()
  return {
    tokens: scale === 1 ? tokens : Math.round(tokens * scale),
    isExact: isExact && known !== undefined,
  }
}

interface Encoding {
  /** Finds the words that are encoded one by one. */
  readonly word: RegExp
  count(text: string): number
  /** The library remembers words it has merged, which are somebody's text: none outlives one count. */
  forget(): void
}

/** Vocabularies only, which are public and never change; each costs some 75 MB, hence on first use. */
const loaded = new Map<EncodingName, Encoding>()

function loadEncoding(name: EncodingName): Encoding {
  const existing = loaded.get(name)
  if (existing) return existing
  const { countTokens: count, clearMergeCache } = requireVocabulary(name)
  // An empty set: text such as <|endoftext|> is what somebody wrote, not a command.
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

/** `require`, since it loads when called and without a promise; every vocabulary module has the same shape. */
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
