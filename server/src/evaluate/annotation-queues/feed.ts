/** The feed of a queue. Pure. */
import { type AnnotationFeed, invalid } from '@plumbline/contract'
import type { TraceFilters } from '@plumbline/storage/traces'

/** A feed and its start: earlier traces are not added. */
export interface StoredFeed {
  readonly feed: AnnotationFeed
  readonly since: Date
}

/** A feed without absent fields; throws `invalid_request` for bounds without a score. */
export function checkedFeed({
  featureSlug,
  share,
  scoreName,
  scoreMin,
  scoreMax,
}: AnnotationFeed): AnnotationFeed {
  if (scoreName == null && (scoreMin != null || scoreMax != null))
    throw invalid('feed.scoreName', 'is required with scoreMin or scoreMax')
  return {
    ...(featureSlug == null ? {} : { featureSlug }),
    share,
    ...(scoreName == null ? {} : { scoreName }),
    ...(scoreMin == null ? {} : { scoreMin }),
    ...(scoreMax == null ? {} : { scoreMax }),
  }
}

/** Serializes a feed; an unchanged feed keeps its start. */
export function writeFeed(input: AnnotationFeed, now: Date, previous?: string): string {
  const feed = checkedFeed(input)
  const isSame = previous !== undefined && JSON.stringify(readFeed(previous).feed) === JSON.stringify(feed)
  return isSame ? previous : JSON.stringify({ feed, since: now })
}

export function readFeed(text: string): StoredFeed {
  // Safe: `writeFeed` wrote it.
  const { feed, since } = JSON.parse(text) as { feed: AnnotationFeed; since: string }
  return { feed, since: new Date(since) }
}

/** How long after arrival a trace may still be stored, and may still be scored. */
const storedWithinMs = 10 * 60_000
const scoredWithinMs = 24 * 3_600_000

/**
 * The traces to consider: those since the last feed, and earlier ones that may have been stored or scored since. No trace
 * is added twice.
 */
export function filtersOf({ feed, since }: StoredFeed, fedUntil: Date): TraceFilters {
  const { featureSlug, scoreName, scoreMin, scoreMax } = feed
  const windowMs = scoreName == null ? storedWithinMs : scoredWithinMs
  return {
    receivedFromMs: BigInt(Math.max(since.getTime(), fedUntil.getTime() - windowMs)),
    where: [
      ...(featureSlug == null ? [] : [{ field: 'feature', is: [featureSlug] }]),
      ...(scoreName == null
        ? []
        : [
            {
              field: `score.${scoreName}`,
              ...(scoreMin == null && scoreMax == null ? { exists: true } : {}),
              ...(scoreMin == null ? {} : { min: scoreMin }),
              ...(scoreMax == null ? {} : { max: scoreMax }),
            },
          ]),
    ],
  }
}
