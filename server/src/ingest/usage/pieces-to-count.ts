/**
 * Bounds the cost of token counting: byte-pair encoding takes time quadratic in the length of a word, and the regular
 * expressions for words overflow the stack on a run of millions of letters.
 */

/** The longest word that is encoded whole. Real words are shorter; runs of one letter, or of a script without spaces, are not. */
export const wordCharsMax = 256

/** The longest text that is counted whole. A longer one is counted by samples of this total length. */
export const textCharsMax = 2 ** 19

const sampleCount = 8

/** The pieces to encode for a text: its tokens are the tokens of the pieces times `scale`. */
export interface Pieces {
  readonly pieces: readonly string[]
  readonly scale: number
  /** False when a word was cut or the text was sampled. */
  readonly isExact: boolean
}

/**
 * A quick test for words that are too long. A word is at most a space, a run of characters and a run of line breaks, so
 * one of these runs is at least half of it.
 */
const longStretch = new RegExp(`\\S{${wordCharsMax / 2}}|\\s{${wordCharsMax / 2}}`)

/** Splits a text into pieces without words longer than `wordCharsMax`, by the word rule of the vocabulary. */
export function piecesToCount(text: string, word: RegExp): Pieces {
  if (text.length > textCharsMax) {
    const pieces = samplesOf(text).flatMap((sample) => cutWords(sample, word))
    return { pieces, scale: text.length / textCharsMax, isExact: false }
  }
  const pieces = cutWords(text, word)
  return { pieces, scale: 1, isExact: pieces.length === 1 }
}

/** Evenly spaced windows from the first character to the last. */
function samplesOf(text: string): string[] {
  const size = textCharsMax / sampleCount
  const stride = (text.length - size) / (sampleCount - 1)
  return Array.from({ length: sampleCount }, (_, index) => {
    const start = Math.floor(index * stride)
    return text.slice(start, start + size)
  })
}

function cutWords(text: string, word: RegExp): string[] {
  if (!longStretch.test(text)) return [text]
  const pieces: string[] = []
  let start = 0
  for (const match of text.matchAll(word)) {
    const length = match[0].length
    if (length <= wordCharsMax) continue
    if (match.index > start) pieces.push(text.slice(start, match.index))
    start = match.index + length
    for (let index = match.index; index < start; index += wordCharsMax) {
      pieces.push(text.slice(index, Math.min(index + wordCharsMax, start)))
    }
  }
  if (start < text.length) pieces.push(text.slice(start))
  return pieces
}
