/**
 * Byte-pair encoding takes time quadratic in the length of one word, and the expressions that find the words
 * overflow the stack on a run of millions of letters. Both are bounded here, before any text reaches them.
 */

/** Longest word that is encoded whole. Words of people are shorter; runs of one letter or script without spaces are not. */
export const wordCharsMax = 256

/** Longest text that is counted whole. A longer one is counted by samples that add up to this length. */
export const textCharsMax = 2 ** 19

const sampleCount = 8

/** What to encode in place of a text: tokens = tokens of the pieces * scale. */
export interface Pieces {
  readonly pieces: readonly string[]
  readonly scale: number
  /** False when a word was cut, or a sample stands for the text. */
  readonly isExact: boolean
}

/**
 * What every word has that is too long: a word is at most a space, a stretch of signs and a stretch of line breaks, so
 * one of the two is half of it. Without such a stretch no closer look is needed.
 */
const longStretch = new RegExp(`\\S{${wordCharsMax / 2}}|\\s{${wordCharsMax / 2}}`)

/** The pieces of a text that stand for it, none with a word longer than `wordCharsMax` by the vocabulary's own word rule. */
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
