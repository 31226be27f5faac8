/** Sentences in one warning: without a limit, each log of a trace could add one. */
const sentencesMax = 100

/** Joins the warnings of a record; null if there are none. */
export function warningText(sentences: readonly string[]): string | null {
  if (sentences.length === 0) return null
  const omittedCount = sentences.length - sentencesMax
  const listedSentences =
    omittedCount > 0 ? [...sentences.slice(0, sentencesMax), `And ${omittedCount} more.`] : sentences
  return listedSentences.join(' ')
}
