import type { ScoreRow, StoredScore } from '@plumbline/storage/traces'

/**
 * The span scores that are not stored yet. Version 0.1.0 derived score ids from the event's position in its span, so a
 * stored score with the same content, under an id that no current score has, is the same score; each matches one.
 */
export function unstoredScores(
  scores: readonly ScoreRow[],
  storedScores: readonly StoredScore[],
): readonly ScoreRow[] {
  if (storedScores.length === 0) return scores
  const storedIds = new Set(storedScores.map(({ scoreId }) => scoreId))
  const unstored = scores.filter(({ scoreId }) => !storedIds.has(scoreId))
  if (unstored.length === 0) return unstored
  const currentKeys = new Set(scores.map((score) => `${score.scoreId} ${contentOf(score)}`))
  const earlierCounts = new Map<string, number>()
  for (const score of storedScores) {
    const content = contentOf(score)
    if (score.source === 'otlp' && !currentKeys.has(`${score.scoreId} ${content}`))
      earlierCounts.set(content, (earlierCounts.get(content) ?? 0) + 1)
  }
  return unstored.filter((score) => {
    const content = contentOf(score)
    const count = earlierCounts.get(content) ?? 0
    earlierCounts.set(content, count - 1)
    return count <= 0
  })
}

const contentOf = ({ traceId, logId, name, value, createdAtMs }: StoredScore): string =>
  JSON.stringify([traceId, logId, name, value, createdAtMs])
