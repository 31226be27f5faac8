/**
 * Full-text search. The column `words` has the row's texts in lower case without punctuation; its index contains each
 * ASCII word and each other character separately, so that languages without spaces between words can be searched too.
 */
import type { Conditions } from './where.ts'

export interface WordConditions extends Conditions {
  /** Conditions on a trace: every word is in the name or id of its user or organization. */
  readonly ofNames: readonly string[]
  /** Whether the word index does not suffice and texts are read, either of rows with all words or of all rows. */
  readonly readsTexts: boolean
}

/** Parts of a query: phrases in quotes, and words that may begin or end with an asterisk. */
const queryParts = /"([^"]*)"|([^\s"]+)/g

interface QueryWords {
  /** Words of phrases and plain words; the index contains the ASCII ones. */
  readonly words: readonly string[]
  /** Texts that must match exactly, with a space between words. */
  readonly exact: readonly string[]
  /** Beginnings of words: `refun*`. */
  readonly beginnings: readonly string[]
  /** Texts anywhere, even within words: `*fund*`. */
  readonly fragments: readonly string[]
}

function readQuery(query: string): QueryWords {
  const read = {
    words: [] as string[],
    exact: [] as string[],
    beginnings: [] as string[],
    fragments: [] as string[],
  }
  for (const [, phrase, word = ''] of query.matchAll(queryParts)) {
    if (phrase !== undefined) {
      const words = wordsOf(phrase)
      read.words.push(...words)
      if (words.length > 1) read.exact.push(words.join(' '))
      continue
    }
    const words = wordsOf(word)
    const last = words.at(-1)
    if (last !== undefined && /^\*./.test(word)) read.fragments.push(words.join(' '))
    else if (last !== undefined && word.endsWith('*')) {
      read.words.push(...words.slice(0, -1))
      read.beginnings.push(last)
    } else read.words.push(...words)
  }
  read.exact.push(...read.words.filter((word) => /[^a-z0-9]/.test(word)))
  return read
}

/**
 * How many words a search has. Each is a condition in the statement, and parsing many of them takes the engine longer
 * than running them.
 */
export function countWords(query: string): number {
  const { words, beginnings, fragments } = readQuery(query)
  return words.length + beginnings.length + fragments.length
}

/**
 * A row must contain every word of the query. Text in double quotes must match exactly; so must a word with non-ASCII
 * characters, which the index stores one by one. `refun*` matches the beginning of a word and `*fund*` any part of the
 * text: no index serves these, so they read all texts in the range.
 */
export function wordConditions(query: string): WordConditions {
  const { words, exact, beginnings, fragments } = readQuery(query)
  const parameters: Record<string, string> = {}
  const bind = (name: string, text: string): string => {
    parameters[name] = text
    return `{${name}:String}`
  }
  if (words.length + beginnings.length + fragments.length === 0) {
    // Only punctuation, which the index omits.
    const q = bind('q', query)
    return {
      sql: [`(position(input, ${q}) > 0 OR position(output, ${q}) > 0)`],
      ofNames: ['0'],
      readsTexts: true,
      parameters,
    }
  }
  const texts = [...words, ...beginnings, ...fragments]
  const names = texts.map(
    (text, index) =>
      `positionCaseInsensitiveUTF8(concatWithSeparator('\n', ifNull(user_name, ''), ifNull(user_id, ''), ifNull(organization_name, ''), ifNull(organization_id, '')), ${bind(`name${index}`, text)}) > 0`,
  )
  return {
    sql: [
      ...(words.length > 0 ? [`hasAllTokens(words, ${bind('words', words.join(' '))})`] : []),
      ...exact.map((text, index) => contains(text, bind(`exact${index}`, wholeWords(text)))),
      ...beginnings.map(
        (text, index) => `match(words, ${bind(`beginning${index}`, `(?:^|${gap})${patternOf(text)}`)})`,
      ),
      ...fragments.map((text, index) => contains(text, bind(`inside${index}`, patternOf(text)))),
    ],
    ofNames: names,
    readsTexts: exact.length + beginnings.length + fragments.length > 0,
    parameters,
  }
}

/** A regular expression for the gap between two words. */
const gap = '[\\pP\\pZ]+'

/** A pattern for the words of a phrase with any punctuation between them. Words contain no special pattern characters. */
const patternOf = (phrase: string): string => phrase.replaceAll(' ', gap)

/**
 * A phrase begins and ends at word boundaries, as the index defines them: `\b` applies next to an ASCII letter or
 * digit, and every other character is a word by itself. A text of one word is compared unchanged.
 */
const wholeWords = (text: string): string =>
  text.includes(' ') ? patternOf(text).replace(/^(?=[a-z0-9])|(?<=[a-z0-9])$/g, '\\b') : text

/**
 * Phrases are matched by a pattern, because replacing the punctuation of every text with a space took most of the time
 * of a search. A single word needs no pattern.
 */
const contains = (phrase: string, pattern: string): string =>
  phrase.includes(' ') ? `match(words, ${pattern})` : `position(words, ${pattern}) > 0`

/** Splits a text like the column `words`; non-ASCII punctuation stays in the column and is removed in comparisons. */
function wordsOf(text: string): string[] {
  return text
    .toLowerCase()
    .split(/[\s\p{P}\p{Z}_.:;,!?@#$%&*+\-=/|<>(){}[\]"'`^~\\]+/u)
    .filter((word) => word !== '')
}
