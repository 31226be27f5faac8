/** The comments that mention the signed-in user; opening it marks them as seen. */
import type { Comment } from '@plumbline/sdk'
import { Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { type Output, useChange, useRead } from '../app/api.ts'
import { ErrorState } from '../ui/error-state.tsx'
import { Dialog } from '../ui/overlay/dialog.tsx'
import { SkeletonRows } from '../ui/skeleton.tsx'
import { RelativeTime } from '../ui/text/values.tsx'

interface MentionsDialogProps {
  readonly isOpen: boolean
  readonly onClose: () => void
}

export function MentionsDialog({ isOpen, onClose }: MentionsDialogProps) {
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title="Mentions">
      <Mentions onClose={onClose} />
    </Dialog>
  )
}

function Mentions({ onClose }: Pick<MentionsDialogProps, 'onClose'>) {
  const read = useRead('comments.mentions', { limit: 20 })
  const newIds = useAcknowledgement(read.isFetching ? undefined : read.data)
  const comments = read.data?.comments
  if (comments === undefined)
    return read.isError ? (
      <ErrorState error={read.error} onRetry={() => void read.refetch()} />
    ) : (
      <SkeletonRows />
    )
  if (comments.length === 0) return <p className="text-sm text-ink-2">No mentions yet.</p>
  return (
    <ol aria-label="Mentions" className="flex max-h-112 flex-col gap-2 overflow-y-auto">
      {comments.map(({ comment, isNew }) => (
        <li key={comment.id} className="relative rounded border border-line p-3 hover:bg-hover">
          <p className="flex items-center gap-2 text-xs text-ink-3">
            <bdi className="truncate font-medium text-ink-2">
              {comment.createdByName ?? 'Deleted account'}
            </bdi>
            <RelativeTime time={comment.createdAt} />
            {(isNew || newIds.has(comment.id)) && (
              <span className="rounded-sm bg-selected px-1 text-accent-ink">new</span>
            )}
          </p>
          <p dir="auto" className="mt-1 line-clamp-3 text-sm">
            {comment.text}
          </p>
          <SubjectLink comment={comment} onClose={onClose} />
        </li>
      ))}
    </ol>
  )
}

/**
 * Only the listed comments are marked as seen, not those written while the dialog is open. The "new" badges stay
 * until it closes.
 */
function useAcknowledgement(latest: Output<'comments.mentions'> | undefined): ReadonlySet<string> {
  const { mutate: acknowledge } = useChange('comments.acknowledge', { refreshes: ['comments.mentions'] })
  const [newIds, setNewIds] = useState<ReadonlySet<string>>(new Set())
  useEffect(() => {
    if (latest === undefined || latest.newCount === 0) return
    const ids = latest.comments.flatMap(({ comment, isNew }) => (isNew ? [comment.id] : []))
    setNewIds((previous) => new Set([...previous, ...ids]))
    acknowledge({})
  }, [latest, acknowledge])
  return newIds
}

const subjectLink = 'text-xs text-accent-ink before:absolute before:inset-0'

function SubjectLink({ comment, onClose }: { readonly comment: Comment; readonly onClose: () => void }) {
  const { subjectType, subjectId: id } = comment
  switch (subjectType) {
    case 'trace':
      return (
        <Link
          to="/traces/$id"
          params={{ id }}
          search={{ comments: true }}
          onClick={onClose}
          className={subjectLink}
        >
          On a trace
        </Link>
      )
    case 'prompt':
      return (
        <Link
          to="/prompts/$slug"
          params={{ slug: id }}
          search={{ comments: true }}
          onClick={onClose}
          className={subjectLink}
        >
          On the prompt {id}
        </Link>
      )
    case 'experiment':
      return (
        <Link
          to="/experiments/compare"
          search={{ ids: id, comments: true }}
          onClick={onClose}
          className={subjectLink}
        >
          On an experiment
        </Link>
      )
  }
}
