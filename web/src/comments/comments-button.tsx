/** The comments on a trace, a prompt or an experiment, behind a button with their count. */
import type { CommentSubject } from '@plumbline/sdk'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { MessageSquare } from 'lucide-react'
import { useState } from 'react'
import { useRead } from '../app/api.ts'
import { Button } from '../ui/button.tsx'
import { lateDialog } from '../ui/overlay/late-dialog.tsx'

const CommentsDialog = lateDialog(async () => (await import('./comments-dialog.tsx')).CommentsDialog)

interface CommentsButtonProps {
  readonly subjectType: CommentSubject
  readonly subjectId: string
  readonly size?: 'small' | 'normal'
  /** False if a screen has many of these buttons, since each count is a request. */
  readonly hasCount?: boolean
}

export function CommentsButton({
  subjectType,
  subjectId,
  size = 'normal',
  hasCount = true,
}: CommentsButtonProps) {
  const [isPressed, setPressed] = useState(false)
  // A mention links to a URL with the comments open, which never refers to one of many buttons.
  const isInAddress = useSearch({ strict: false }).comments === true && hasCount
  const navigate = useNavigate()
  const close = (): void => {
    setPressed(false)
    if (isInAddress)
      void navigate({ to: '.', search: (previous) => ({ ...previous, comments: undefined }), replace: true })
  }
  const comments = useRead('comments.list', { subjectType, subjectId }, { enabled: hasCount })
  const count = comments.isPlaceholderData ? 0 : (comments.data?.comments.length ?? 0)
  return (
    <>
      <Button size={size} icon={<MessageSquare aria-hidden size={14} />} onClick={() => setPressed(true)}>
        <span className="max-md:sr-only">Comments</span>
        {count > 0 && <span className="numbers text-ink-3">{count}</span>}
      </Button>
      <CommentsDialog {...{ subjectType, subjectId }} isOpen={isPressed || isInAddress} onClose={close} />
    </>
  )
}
