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
 * A word is at most a space, a run of characters and a run of line breaks, so one of these runs is at least half of a
 * word that is too long.
 */
const runMin = wordCharsMax / 2

/**
 * Whether a text has a run of `runMin` spaces or of other characters. Such a run covers a multiple of its length, so
 * only the runs there are measured, which is a fifteenth of the work of an expression that tries every position.
 */
export function hasLongRun(text: string): boolean {
  let measuredTo = 0
  for (let probe = runMin - 1; probe < text.length; probe += runMin) {
    if (probe < measuredTo) continue
    const kind = isSpace(text.charCodeAt(probe))
    let start = probe
    while (start > measuredTo && isSpace(text.charCodeAt(start - 1)) === kind) start -= 1
    let end = probe + 1
    while (end < text.length && end - start < runMin && isSpace(text.charCodeAt(end)) === kind) end += 1
    if (end - start >= runMin) return true
    measuredTo = end
  }
  return false
}

/** As `\s` of a regular expression. */
function isSpace(code: number): boolean {
  if (code <= 0x20) return code === 0x20 || (code >= 0x09 && code <= 0x0d)
  if (code < 0x1680) return code === 0xa0
  return code === 0x1680 || (code >= 0x2000 && code <= 0x200a) || otherSpaces.has(code)
}

const otherSpaces: ReadonlySet<number> = new Set([0x2028, 0x2029, 0x202f, 0x205f, 0x3000, 0xfeff])

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
  if (!hasLongRun(text)) return [text]
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
