/** What a queue is: changed here, and fed from here. */
import type { AnnotationQueue } from '@plumbline/sdk'
import { Trash2 } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { useChange } from '../app/api.ts'
import { Button } from '../ui/button.tsx'
import { ConfirmDialog } from '../ui/dialog.tsx'
import { sentenceOf } from '../ui/error-state.tsx'
import { useToasts } from '../ui/toast.tsx'
import { feedDraftOf, readFeed } from './feed-draft.ts'
import { FeedFields } from './feed-fields.tsx'
import { type QueueDraft, QueueFields, readQueue } from './queue-fields.tsx'
import { queueRoute } from './routes.ts'

export function SettingsTab({ queue }: { readonly queue: AnnotationQueue }) {
  const navigate = queueRoute.useNavigate()
  const toasts = useToasts()
  const [draft, setDraft] = useState<QueueDraft>({
    name: queue.name,
    slugs: queue.evaluatorSlugs,
    people: String(queue.annotatorsPerItem),
    instructions: queue.instructions,
  })
  const [feedDraft, setFeedDraft] = useState(() => feedDraftOf(queue.feed))
  const [isDeleting, setDeleting] = useState(false)
  const save = useChange('annotationQueues.update', {
    refreshes: ['annotationQueues.get', 'annotationQueues.list'],
    showsErrors: true,
    onDone: () => toasts.done('Saved'),
  })
  const remove = useChange('annotationQueues.delete', {
    refreshes: ['annotationQueues.list'],
    onDone: () => void navigate({ to: '/annotation' }),
  })
  const changed = readQueue(draft)
  const feed = readFeed(feedDraft)
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (changed !== undefined && !('problem' in feed))
      save.mutate({ id: queue.id, ...changed, feed: feed.feed })
  }
  return (
    <form onSubmit={submit} className="flex max-w-2xl flex-col gap-5 p-4">
      <QueueFields draft={draft} onChange={setDraft} />
      <FeedFields
        draft={feedDraft}
        problem={'problem' in feed ? feed.problem : undefined}
        onChange={setFeedDraft}
      />
      {save.error !== null && (
        <p role="alert" className="text-sm text-bad">
          {sentenceOf(save.error).description}
        </p>
      )}
      <div className="flex items-center gap-2 border-t border-line pt-4">
        <Button
          type="submit"
          look="primary"
          disabled={changed === undefined || 'problem' in feed}
          isBusy={save.isPending}
        >
          Save
        </Button>
        <span className="flex-1" />
        <Button look="danger" icon={<Trash2 aria-hidden size={14} />} onClick={() => setDeleting(true)}>
          Delete queue
        </Button>
      </div>
      <ConfirmDialog
        isOpen={isDeleting}
        onClose={() => setDeleting(false)}
        title={`Delete “${queue.name}”?`}
        action="Delete"
        isBusy={remove.isPending}
        onConfirm={() => remove.mutate({ id: queue.id })}
      >
        This deletes its items and assignments. Scores stay with their traces.
      </ConfirmDialog>
    </form>
  )
}
