/** Gives traces or logs to people to judge. The list uses it for many, the trace for one. */
import { Link } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { useChange, useRead } from '../app/api.ts'
import { Dialog } from '../ui/dialog.tsx'
import { ErrorState } from '../ui/error-state.tsx'
import { Field } from '../ui/field.tsx'
import { FormActions } from '../ui/form-actions.tsx'
import { Select } from '../ui/select.tsx'
import { useToasts } from '../ui/toast.tsx'
import { addedWords } from './added-words.ts'

interface AddToQueueDialogProps {
  readonly items: readonly { readonly traceId: string; readonly logId?: string }[]
  readonly onClose: () => void
}

/** The maximum the service accepts per request. */
const chunkMax = 1000

export function AddToQueueDialog({ items, onClose }: AddToQueueDialogProps) {
  const list = useRead('annotationQueues.list', {})
  const queues = list.data?.queues
  const [chosen, setChosen] = useState<string>()
  const id = chosen ?? queues?.[0]?.id
  const toasts = useToasts()
  const add = useChange('annotationQueues.add', {
    refreshes: ['annotationQueues.list', 'annotationQueues.get', 'annotationQueues.items'],
    showsErrors: true,
  })
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    if (id === undefined) return
    const counts = { added: 0, existing: 0 }
    try {
      for (let from = 0; from < items.length; from += chunkMax) {
        const answer = await add.mutateAsync({ id, items: items.slice(from, from + chunkMax) })
        counts.added += answer.added
        counts.existing += answer.existing
      }
    } catch {
      // The form tells what failed.
      return
    }
    toasts.done(addedWords(counts))
    onClose()
  }
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Add to an annotation queue"
      description={
        items.length === 1 ? 'Reviewers score it there.' : `Reviewers score these ${items.length} there.`
      }
    >
      {list.isError ? (
        <ErrorState error={list.error} onRetry={() => void list.refetch()} />
      ) : queues?.length === 0 ? (
        <p className="text-sm text-ink-2">
          There are no annotation queues yet.{' '}
          <Link to="/annotation" className="font-medium text-accent-ink hover:underline">
            Create one
          </Link>
          and try again.
        </p>
      ) : (
        <form onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
          <Field label="Queue">
            <Select
              label="Queue"
              choices={(queues ?? []).map((queue) => ({
                value: queue.id,
                label: queue.name,
                hint: `${queue.progress.done} of ${queue.progress.items} done`,
              }))}
              value={id}
              onChange={setChosen}
            />
          </Field>
          <FormActions
            action="Add"
            onCancel={onClose}
            isDisabled={id === undefined}
            isBusy={add.isPending}
            error={add.error}
          />
        </form>
      )}
    </Dialog>
  )
}
