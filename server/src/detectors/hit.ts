/** A match of a rule in a text. */
export interface Hit {
  readonly start: number
  readonly end: number
}

/** Finds hits in a text, in order and without overlaps, in time linear in its length. */
export type Find = (text: string) => readonly Hit[]

/**
 * Finds matches of a pattern that a check confirms. The pattern must take linear time: it must not match from within its own
 * run.
 */
export function findMatches(
  text: string,
  pattern: RegExp,
  accepts: (match: string) => boolean = () => true,
): readonly Hit[] {
  const hits: Hit[] = []
  pattern.lastIndex = 0
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    const [{ length }] = match
    if (accepts(match[0])) hits.push({ start: match.index, end: match.index + length })
  }
  return hits
}

export const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39

/** Whether a character code is an ASCII letter or digit. NaN, the code beyond either end of a text, is not. */
export const isWord = (code: number): boolean =>
  isDigit(code) || (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a)
