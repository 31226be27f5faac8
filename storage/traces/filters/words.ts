/**
 * Full-text search. The column `words` is the row's texts in lower case with punctuation taken out; its index knows
 * each ASCII word, and each other character by itself, so that languages without spaces between words are found too.
 */
import type { Conditions } from './where.ts'

/**
 * A row must contain every word of the query. Text in double quotes must match exactly; so must a word with non-ASCII
 * characters, which the index stores one by one.
 */
export function wordConditions(query: string): Conditions {
  const phrases = [...query.matchAll(/"([^"]*)"/g)].map(([, quoted]) => wordsOf(quoted ?? ''))
  const loose = wordsOf(query.replace(/"[^"]*"/g, ' '))
  const exact = [
    ...phrases.filter((words) => words.length > 1).map((words) => words.join(' ')),
    ...[...phrases.flat(), ...loose].filter((word) => /[^a-z0-9]/.test(word)),
  ]
  const all = [...phrases.flat(), ...loose]
  if (all.length === 0) {
    // Only punctuation, which the index omits.
    return {
      sql: ['(position(input, {q:String}) > 0 OR position(output, {q:String}) > 0)'],
      parameters: { q: query },
    }
  }
  const parameters: Record<string, string> = { words: all.join(' ') }
  exact.forEach((text, index) => {
    parameters[`exact${index}`] = text
  })
  return {
    sql: [
      'hasAllTokens(words, {words:String})',
      ...exact.map(
        (_, index) => `position(replaceRegexpAll(words, '[\\\\pP\\\\pZ]+', ' '), {exact${index}:String}) > 0`,
      ),
    ],
    parameters,
  }
}

/** Splits a text like the column `words`; non-ASCII punctuation stays in the column and is removed in comparisons. */
function wordsOf(text: string): string[] {
  return text
    .toLowerCase()
    .split(/[\s\p{P}\p{Z}_.:;,!?@#$%&*+\-=/|<>(){}[\]"'`^~\\]+/u)
    .filter((word) => word !== '')
}
