/** What a queue is fed with, as it is typed. Pure. */
import type { AnnotationFeed } from '@plumbline/sdk'

export interface FeedDraft {
  readonly isOn: boolean
  readonly percent: string
  readonly featureSlug: string
  readonly scoreName: string
  readonly scoreMax: string
  readonly scoreMin: string
}

const textOf = (value: number | null | undefined): string => (value == null ? '' : String(value))

export const feedDraftOf = (feed: AnnotationFeed | null): FeedDraft => ({
  isOn: feed !== null,
  percent: feed === null ? '5' : String(Number((feed.share * 100).toPrecision(10))),
  featureSlug: feed?.featureSlug ?? '',
  scoreName: feed?.scoreName ?? '',
  scoreMin: textOf(feed?.scoreMin),
  scoreMax: textOf(feed?.scoreMax),
})

/** The feed in the form, null for none, or its problem. */
export function readFeed(draft: FeedDraft): { feed: AnnotationFeed | null } | { problem: string } {
  if (!draft.isOn) return { feed: null }
  const share = Number(draft.percent) / 100
  if (!(share > 0 && share <= 1)) return { problem: 'Enter a percentage above 0, up to 100.' }
  const [scoreMin, scoreMax] = [numberOf(draft.scoreMin), numberOf(draft.scoreMax)]
  if (Number.isNaN(scoreMin) || Number.isNaN(scoreMax))
    return { problem: 'The bounds of a score are numbers.' }
  const scoreName = draft.scoreName.trim()
  return {
    feed: {
      share,
      ...(draft.featureSlug !== '' && { featureSlug: draft.featureSlug }),
      ...(scoreName !== '' && {
        scoreName,
        ...(scoreMin !== undefined && { scoreMin }),
        ...(scoreMax !== undefined && { scoreMax }),
      }),
    },
  }
}

const numberOf = (text: string): number | undefined => (text.trim() === '' ? undefined : Number(text))
