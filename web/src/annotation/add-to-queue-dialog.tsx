/** Adds traces or logs to an annotation queue, from the trace list or from one trace. */
import type { AnnotationQueue } from '@plumbline/sdk'
import { Link } from '@tanstack/react-router'
import { type Input, useChange, useRead } from '../app/api.ts'
import { ErrorState } from '../ui/error-state.tsx'
import { SelectField } from '../ui/form/fields.tsx'
import { Form } from '../ui/form/form.tsx'
import { useForm } from '../ui/form/use-form.ts'
import { Dialog } from '../ui/overlay/dialog.tsx'
import { SkeletonRows } from '../ui/skeleton.tsx'
import { exactNumber } from '../ui/text/format.ts'
import { itemReads, useAdded } from './use-added.ts'

interface AddToQueueDialogProps {
  readonly items: readonly { readonly traceId: string; readonly logId?: string }[]
  /** Adds all matching traces instead of the items. */
  readonly filter?: Input<'annotationQueues.add'>['filter'] | undefined
  readonly onClose: () => void
}

/** The maximum the service accepts per request. */
const chunkMax = 1000
/** The maximum the service adds for a filter. */
const matchesMax = 10_000

export function AddToQueueDialog({ items, filter, onClose }: AddToQueueDialogProps) {
  const list = useRead('annotationQueues.list', {})
  const queues = list.data?.queues
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Add to an annotation queue"
      description={
        filter !== undefined
          ? `Reviewers score the latest matching traces there, up to ${exactNumber(matchesMax)}.`
          : items.length === 1
            ? 'Reviewers score it there.'
            : `Reviewers score these ${items.length} there.`
      }
    >
      {list.isError ? (
        <ErrorState error={list.error} onRetry={() => void list.refetch()} />
      ) : queues === undefined ? (
        <SkeletonRows count={2} />
      ) : queues.length === 0 ? (
        <p className="text-sm text-ink-2">
          There are no annotation queues yet.{' '}
          <Link to="/annotation" className="font-medium text-accent-ink hover:underline">
            Create one
          </Link>
          and try again.
        </p>
      ) : (
        <AddToQueueForm queues={queues} items={items} filter={filter} onClose={onClose} />
      )}
    </Dialog>
  )
}

function AddToQueueForm({
  queues,
  items,
  filter,
  onClose,
}: AddToQueueDialogProps & { readonly queues: readonly AnnotationQueue[] }) {
  const end = useAdded(onClose)
  const add = useChange('annotationQueues.add', { refreshes: itemReads, showsErrors: true })
  const form = useForm({
    initial: { id: queues[0]?.id ?? '' },
    toInput: ({ id }) => id,
    send: async (id) => {
      if (filter !== undefined) return end(await add.mutateAsync({ id, filter, count: matchesMax }))
      const counts = { added: 0, existing: 0 }
      for (let from = 0; from < items.length; from += chunkMax) {
        const answer = await add.mutateAsync({ id, items: items.slice(from, from + chunkMax) })
        counts.added += answer.added
        counts.existing += answer.existing
      }
      end(counts)
    },
  })
  return (
    <Form form={form} action="Add" onCancel={onClose}>
      <SelectField
        form={form}
        name="id"
        label="Queue"
        choices={queues.map(({ id, name, progress }) => ({
          value: id,
          label: name,
          hint: `${progress.done} of ${progress.items} done`,
        }))}
      />
    </Form>
  )
}
