/** A thread of comments, and a new one. */
import type { Comment, CommentSubject } from '@plumbline/sdk'
import { Pencil, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useChange, useRead } from '../app/api.ts'
import { DeleteDialog } from '../app/delete-dialog.tsx'
import { useSession } from '../app/session.tsx'
import { IconButton } from '../ui/button.tsx'
import { ErrorState } from '../ui/error-state.tsx'
import { Dialog } from '../ui/overlay/dialog.tsx'
import { SkeletonRows } from '../ui/skeleton.tsx'
import { Markdown } from '../ui/text/markdown.tsx'
import { RelativeTime } from '../ui/text/values.tsx'
import { CommentEditor, hasCommentDraft } from './comment-editor.tsx'

interface CommentsDialogProps {
  readonly subjectType: CommentSubject
  readonly subjectId: string
  readonly isOpen: boolean
  readonly onClose: () => void
}

export function CommentsDialog({ isOpen, onClose, ...subject }: CommentsDialogProps) {
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title="Comments">
      <Thread {...subject} />
    </Dialog>
  )
}

const refreshes = ['comments.list', 'comments.mentions'] as const

function Thread({ subjectType, subjectId }: Pick<CommentsDialogProps, 'subjectType' | 'subjectId'>) {
  const read = useRead('comments.list', { subjectType, subjectId }, { refreshMs: 15_000 })
  const comments = read.isPlaceholderData ? undefined : read.data?.comments
  const create = useChange('comments.create', { refreshes, showsErrors: true })
  const mayComment = useSession().may('editor')
  return (
    <div className="flex flex-col gap-4">
      {read.isError && comments === undefined ? (
        <ErrorState error={read.error} onRetry={() => void read.refetch()} />
      ) : comments === undefined ? (
        <SkeletonRows />
      ) : comments.length === 0 ? (
        <p className="text-sm text-ink-2">
          No comments yet. Members you mention with @ see the comment under Mentions.
        </p>
      ) : (
        <ol aria-label="Comments" className="flex max-h-96 flex-col gap-3 overflow-y-auto">
          {comments.map((comment) => (
            <CommentItem key={comment.id} comment={comment} />
          ))}
        </ol>
      )}
      {mayComment && (
        <CommentEditor
          name={`${subjectType}/${subjectId}`}
          label="New comment"
          action="Comment"
          isBusy={create.isPending}
          onSave={async (text, mentions) => {
            await create.mutateAsync({ subjectType, subjectId, text, mentions })
          }}
        />
      )}
    </div>
  )
}

function CommentItem({ comment }: { readonly comment: Comment }) {
  const { session, may, ownPlace } = useSession()
  const [isEditing, setEditing] = useState(() => hasCommentDraft(ownPlace, comment.id))
  const update = useChange('comments.update', {
    refreshes,
    showsErrors: true,
    onDone: () => setEditing(false),
  })
  const [isDeleting, setDeleting] = useState(false)
  const isMine = session?.person?.id === comment.createdBy
  return (
    <li className="rounded border border-line p-3">
      <p className="flex items-center gap-2 text-xs text-ink-3">
        <bdi className="min-w-0 truncate font-medium text-ink-2">
          {comment.createdByName ?? 'Deleted account'}
        </bdi>
        <RelativeTime time={comment.createdAt} />
        {comment.editedAt !== undefined && <span>edited</span>}
        <span className="flex-1" />
        {isMine && !isEditing && (
          <IconButton size="small" label="Edit comment" onClick={() => setEditing(true)}>
            <Pencil aria-hidden size={14} />
          </IconButton>
        )}
        {(isMine || may('admin')) && (
          <IconButton size="small" label="Delete comment" onClick={() => setDeleting(true)}>
            <Trash2 aria-hidden size={14} />
          </IconButton>
        )}
      </p>
      {isEditing ? (
        <CommentEditor
          name={comment.id}
          label="Comment"
          action="Save"
          initial={comment.text}
          isBusy={update.isPending}
          onCancel={() => setEditing(false)}
          onSave={async (text, mentions) => {
            await update.mutateAsync({ id: comment.id, text, mentions })
          }}
        />
      ) : (
        <div dir="auto">
          <Markdown text={comment.text} />
        </div>
      )}
      <DeleteDialog
        item={isDeleting ? comment : undefined}
        noun="comment"
        operation="comments.delete"
        toInput={({ id }) => ({ id })}
        nameOf={({ text }) => shorten(text)}
        refreshes={refreshes}
        onClose={() => setDeleting(false)}
      >
        It is deleted for everyone in the workspace.
      </DeleteDialog>
    </li>
  )
}

/** The start of a text, for a toast. */
const shorten = (text: string): string => {
  const characters = [...text]
  return characters.length > 60 ? `${characters.slice(0, 60).join('')}…` : text
}
