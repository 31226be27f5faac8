/** The values of the queue forms, and the input they send. Pure. */
import type { AnnotationFeed, AnnotationQueue } from '@plumbline/sdk'
import type { InputProblem } from '../ui/form/check-input.ts'

export interface QueueValues {
  readonly name: string
  readonly evaluatorSlugs: readonly string[]
  readonly annotatorsPerItem: number | undefined
  readonly instructions: string
  readonly feed: FeedValues
}

interface FeedValues {
  readonly isOn: boolean
  readonly share: number | undefined
  /** Empty for any. */
  readonly featureSlug: string
  readonly scoreName: string
  readonly scoreMin: number | undefined
  readonly scoreMax: number | undefined
}

const feedValues = (feed: AnnotationFeed | null): FeedValues => ({
  isOn: feed !== null,
  share: feed?.share ?? 0.05,
  featureSlug: feed?.featureSlug ?? '',
  scoreName: feed?.scoreName ?? '',
  scoreMin: feed?.scoreMin ?? undefined,
  scoreMax: feed?.scoreMax ?? undefined,
})

export const newQueueValues: QueueValues = {
  name: '',
  evaluatorSlugs: [],
  annotatorsPerItem: 1,
  instructions: '',
  feed: feedValues(null),
}

export const queueValues = (queue: AnnotationQueue): QueueValues => ({
  name: queue.name,
  evaluatorSlugs: queue.evaluatorSlugs,
  annotatorsPerItem: queue.annotatorsPerItem,
  instructions: queue.instructions,
  feed: feedValues(queue.feed),
})

export const queueInput = ({
  name,
  evaluatorSlugs,
  annotatorsPerItem = Number.NaN,
  instructions,
}: QueueValues) => ({
  name: name.trim(),
  evaluatorSlugs: [...evaluatorSlugs],
  annotatorsPerItem,
  instructions,
})

/** Null for none. The bounds count only with the name of a score. */
export function feedInput({ isOn, share = Number.NaN, ...feed }: FeedValues): AnnotationFeed | null {
  if (!isOn) return null
  const scoreName = feed.scoreName.trim()
  return {
    share,
    ...(feed.featureSlug !== '' && { featureSlug: feed.featureSlug }),
    ...(scoreName !== '' && {
      scoreName,
      ...(feed.scoreMin !== undefined && { scoreMin: feed.scoreMin }),
      ...(feed.scoreMax !== undefined && { scoreMax: feed.scoreMax }),
    }),
  }
}

/** The schema has fractions, the form percentages. */
export const checkFeed = ({ feed: { isOn, share } }: QueueValues): readonly InputProblem[] =>
  !isOn || (share !== undefined && share > 0 && share <= 1)
    ? []
    : [{ path: 'feed.share', problem: 'must be a percentage above 0, up to 100' }]
