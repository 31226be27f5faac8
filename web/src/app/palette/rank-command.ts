/** How well a command matches the search: by whole words or their beginnings, never by scattered letters. Pure. */

/** From 1, the best match, to 0, no match; `value` is the label, `keywords` are synonyms. */
export function rankCommand(value: string, search: string, keywords: readonly string[] = []): number {
  const query = search.trim().toLowerCase()
  if (query === '') return 1
  const label = value.toLowerCase()
  if (label === query) return 1
  if (label.startsWith(query)) return 0.9
  const words = query.split(/\s+/)
  if (words.every((word) => beginsWord(label, word))) return 0.8
  if (label.includes(query)) return 0.6
  const others = keywords.join(' ').toLowerCase()
  if (words.every((word) => beginsWord(`${label} ${others}`, word))) return 0.4
  return words.every((word) => word.length > 2 && `${label} ${others}`.includes(word)) ? 0.2 : 0
}

const beginsWord = (text: string, word: string): boolean =>
  text.split(/[\s:/._-]+/).some((part) => part.startsWith(word)) || text.startsWith(word)
