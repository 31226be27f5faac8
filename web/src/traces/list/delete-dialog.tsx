/** Deletes the selected traces, or all that match a filter, after a preview of what is deleted with them. */
import { useEffect, useState } from 'react'
import { type Input, useChange } from '../../app/api.ts'
import { ConfirmDialog } from '../../ui/overlay/dialog.tsx'
import { useToasts } from '../../ui/overlay/toast.tsx'
import { exactNumber } from '../../ui/text/format.ts'

interface DeleteDialogProps {
  readonly selection: Input<'deletions.preview'>
  readonly title: string
  readonly onClose: () => void
  readonly onDeleted: () => void
}

export function DeleteDialog({ selection, title, onClose, onDeleted }: DeleteDialogProps) {
  // The counted traces are the deleted ones, even if the list behind the dialog changes.
  const [counted] = useState(selection)
  const toasts = useToasts()
  const { mutate: count, data: preview, error } = useChange('deletions.preview', { showsErrors: true })
  useEffect(() => count(counted), [count, counted])
  const create = useChange('deletions.create', {
    refreshes: ['traces.list', 'traces.facets', 'traces.histogram', 'metrics.query'],
    onDone: ({ deletion }) => {
      toasts.done(`Deleting ${describeCount(deletion.expectedTraces, 'trace')}`)
      onDeleted()
    },
  })
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={title}
      action="Delete"
      isBusy={create.isPending || preview === undefined || preview.traces === 0}
      onConfirm={() => create.mutate(counted)}
    >
      {error !== null ? (
        <p className="text-bad">{error.message}</p>
      ) : preview === undefined ? (
        'Counting…'
      ) : preview.traces === 0 ? (
        'These traces no longer exist.'
      ) : (
        <p>
          This deletes {describeCount(preview.traces, 'trace')} with {describeCount(preview.logs, 'log')} and{' '}
          {describeCount(preview.scores, 'score')}, and their evaluations and annotation queue items. Dataset
          rows made from them are kept. This cannot be undone.
        </p>
      )}
    </ConfirmDialog>
  )
}

const describeCount = (count: number, noun: string): string =>
  `${exactNumber(count)} ${count === 1 ? noun : `${noun}s`}`
