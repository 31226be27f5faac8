/** Changes a queue and its automatic feed, and deletes it. */
import type { AnnotationQueue } from '@plumbline/sdk'
import schema from '@plumbline/sdk/input-schemas?annotationQueues.update'
import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useReadLatest } from '../app/api.ts'
import { DeleteDialog } from '../app/delete-dialog.tsx'
import { useSession } from '../app/session.tsx'
import { useOperationForm } from '../app/use-operation-form.ts'
import { Button } from '../ui/button.tsx'
import { Form } from '../ui/form/form.tsx'
import { useToasts } from '../ui/overlay/toast.tsx'
import { FeedFields } from './feed-fields.tsx'
import { QueueFields } from './queue-fields.tsx'
import { checkFeed, feedInput, queueInput, queueValues } from './queue-values.ts'
import { queueRoute } from './routes.ts'

export function SettingsTab({ queue }: { readonly queue: AnnotationQueue }) {
  const navigate = queueRoute.useNavigate()
  const readLatest = useReadLatest()
  const toasts = useToasts()
  const [isDeleting, setDeleting] = useState(false)
  const { ownPlace } = useSession()
  const form = useOperationForm('annotationQueues.update', {
    schema,
    initial: queueValues(queue),
    draftName: `queue.${ownPlace}/${queue.id}`,
    check: checkFeed,
    toInput: (values) => ({ id: queue.id, ...queueInput(values), feed: feedInput(values.feed) }),
    readLatest: async () => queueValues((await readLatest('annotationQueues.get', { id: queue.id })).queue),
    refreshes: ['annotationQueues.get', 'annotationQueues.list'],
    onDone: () => toasts.done('Saved'),
  })
  return (
    <>
      <Form
        form={form}
        action="Save"
        className="flex max-w-2xl flex-col gap-5 p-4"
        isPage
        extraAction={
          <Button look="danger" icon={<Trash2 aria-hidden size={14} />} onClick={() => setDeleting(true)}>
            Delete queue
          </Button>
        }
      >
        <QueueFields form={form} />
        <FeedFields form={form} />
      </Form>
      <DeleteDialog
        item={isDeleting ? queue : undefined}
        noun="queue"
        operation="annotationQueues.delete"
        toInput={({ id }) => ({ id })}
        nameOf={({ name }) => name}
        refreshes={['annotationQueues.list']}
        onClose={() => setDeleting(false)}
        onDeleted={() => void navigate({ to: '/annotation' })}
      >
        This deletes its items and assignments. Scores stay with their traces.
      </DeleteDialog>
    </>
  )
}
