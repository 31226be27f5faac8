/** Finds search words in a text. Pure. */

export interface MarkPart {
  readonly text: string
  readonly isMatch: boolean
}

/** The text split into matches and other parts, case-insensitive. */
export function markParts(text: string, words: readonly string[]): readonly MarkPart[] {
  const patterns = words
    .filter((word) => word !== '')
    .toSorted((a, b) => b.length - a.length)
    .map((word) => word.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
  if (patterns.length === 0) return [{ text, isMatch: false }]
  const parts: MarkPart[] = []
  let end = 0
  for (const match of text.matchAll(new RegExp(patterns.join('|'), 'giu'))) {
    if (match.index > end) parts.push({ text: text.slice(end, match.index), isMatch: false })
    parts.push({ text: match[0], isMatch: true })
    end = match.index + match[0].length
  }
  if (end < text.length) parts.push({ text: text.slice(end), isMatch: false })
  return parts
}
