import { ArrowRight, Undo2 } from 'lucide-react'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { useToasts } from '../../ui/overlay/toast.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { RelativeTime } from '../../ui/text/values.tsx'
import { latestTag, movableTags, productionTag, stepBack } from './tag-moves.ts'
import { useTagHolders } from './use-tag-holders.ts'
import { useTagMoves } from './use-tag-moves.ts'
import { VersionButton } from './version-button.tsx'

interface TagHistoryProps {
  readonly slug: string
  readonly mayChange: boolean
  readonly onOpen: (version: string) => void
}

/** The history of each tag: its versions, who moved it and when, and the rollback. */
export function TagHistory({ slug, mayChange, onOpen }: TagHistoryProps) {
  const tags = useTagHolders(slug)
  const { move, isMoving } = useTagMoves(slug, () => undefined)
  const toasts = useToasts()
  const { holders } = tags
  if (tags.error !== null) return <ErrorState error={tags.error} onRetry={() => void tags.refetch()} />
  if (tags.moves === undefined || holders === undefined) return <SkeletonRows count={4} />
  const moves = tags.moves.filter(({ tag }) => tag !== latestTag)
  const tagsInUse = movableTags(holders).flatMap((tag) => {
    const holder = holders.get(tag)
    return holder === undefined ? [] : [{ tag, at: holder, back: stepBack(tag, moves) }]
  })
  if (moves.length === 0)
    return (
      <EmptyState title="No tag moves yet">
        Publish a version to move <strong>production</strong> to it. Every move is listed here and can be
        rolled back.
      </EmptyState>
    )
  return (
    <div className="flex flex-col gap-6 p-4">
      <section aria-label="Tags">
        <ul className="flex flex-col rounded border border-line">
          {tagsInUse.map(({ tag, at: holder, back }) => (
            <li
              key={tag}
              className="flex min-h-11 flex-wrap items-center gap-2 border-b border-line px-3 py-1.5 last:border-0"
            >
              <Badge tone={tag === productionTag ? 'good' : 'neutral'}>{tag}</Badge>
              <VersionButton version={holder} onOpen={onOpen} />
              {mayChange && back !== undefined && (
                <span className="ml-auto max-w-full">
                  <Button
                    size="small"
                    className="max-w-full"
                    title={back.to}
                    icon={<Undo2 aria-hidden size={14} />}
                    isBusy={isMoving}
                    onClick={() => void move(back).catch(toasts.fail)}
                  >
                    <span className="truncate">Roll back to {back.to}</span>
                  </Button>
                </span>
              )}
            </li>
          ))}
        </ul>
      </section>
      <section aria-label="Tag moves" className="flex flex-col gap-2">
        <h2 className="text-sm font-semibold">History</h2>
        <ol className="flex flex-col rounded border border-line">
          {moves.map(({ tag, from, to, movedAt, movedByName }) => (
            <li
              key={`${movedAt} ${tag} ${to}`}
              className="flex min-h-9 flex-wrap items-center gap-x-2 border-b border-line px-3 py-1 text-sm last:border-0"
            >
              <Badge tone={tag === productionTag ? 'good' : 'neutral'}>{tag}</Badge>
              {from === undefined ? (
                <span className="text-ink-3">first to</span>
              ) : (
                <>
                  <VersionButton version={from} onOpen={onOpen} />
                  <ArrowRight aria-label="to" size={14} className="text-ink-3" />
                </>
              )}
              <VersionButton version={to} onOpen={onOpen} />
              <span className="ml-auto flex gap-2 text-xs text-ink-3">
                <span className="max-w-48 truncate">{movedByName ?? 'the service'}</span>
                <RelativeTime time={movedAt} />
              </span>
            </li>
          ))}
        </ol>
      </section>
    </div>
  )
}
