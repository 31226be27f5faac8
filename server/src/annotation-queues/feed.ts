/** What a queue is fed with, pure. */
import { type AnnotationFeed, invalid } from '@plumbline/contract'
import type { TraceFilters } from '@plumbline/storage/traces'

/** A feed, and since when: what came before is not added. */
export interface StoredFeed {
  readonly feed: AnnotationFeed
  readonly since: Date
}

/** A feed without what is absent; throws `invalid_request` for bounds of no score. */
export function checkedFeed({
  featureSlug,
  share,
  scoreName,
  scoreMin,
  scoreMax,
}: AnnotationFeed): AnnotationFeed {
  if (scoreName == null && (scoreMin != null || scoreMax != null))
    throw invalid('feed.scoreName', 'must say which score has the bounds')
  return {
    ...(featureSlug == null ? {} : { featureSlug }),
    share,
    ...(scoreName == null ? {} : { scoreName }),
    ...(scoreMin == null ? {} : { scoreMin }),
    ...(scoreMax == null ? {} : { scoreMax }),
  }
}

/** A feed as it is stored; one that is the same as before goes on since when it did. */
export function writeFeed(sent: AnnotationFeed, now: Date, before?: string): string {
  const feed = checkedFeed(sent)
  const isSame = before !== undefined && JSON.stringify(readFeed(before).feed) === JSON.stringify(feed)
  return isSame ? before : JSON.stringify({ feed, since: now })
}

export function readFeed(text: string): StoredFeed {
  // Safe: `writeFeed` wrote it.
  const { feed, since } = JSON.parse(text) as { feed: AnnotationFeed; since: string }
  return { feed, since: new Date(since) }
}

/** Traces may be stored this long after they arrived, and are scored this long after. */
const storedWithinMs = 10 * 60_000
const scoredWithinMs = 24 * 3_600_000

/**
 * Which traces to look at: those since the last time, and those before it that may have come to the store, or to their
 * score, since. What was added already is not added twice.
 */
export function filtersOf({ feed, since }: StoredFeed, fedUntil: Date): TraceFilters {
  const { featureSlug, scoreName, scoreMin, scoreMax } = feed
  const within = scoreName == null ? storedWithinMs : scoredWithinMs
  return {
    ...(featureSlug == null ? {} : { featureSlug }),
    receivedFromMs: BigInt(Math.max(since.getTime(), fedUntil.getTime() - within)),
    ...(scoreName == null
      ? {}
      : {
          where: [
            {
              field: `score.${scoreName}`,
              ...(scoreMin == null && scoreMax == null ? { exists: true } : {}),
              ...(scoreMin == null ? {} : { min: scoreMin }),
              ...(scoreMax == null ? {} : { max: scoreMax }),
            },
          ],
        }),
  }
}
