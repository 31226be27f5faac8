/** Sentences of one warning: a trace may give reason for one with each of its logs. */
const sentencesMax = 100

/** What a record is warned of, as one text; null where there is nothing. */
export function warningText(sentences: readonly string[]): string | null {
  if (sentences.length === 0) return null
  const left = sentences.length - sentencesMax
  const told = left > 0 ? [...sentences.slice(0, sentencesMax), `And ${left} more.`] : sentences
  return told.join(' ')
}
