/** Deletes the traces that are chosen, once it is known what goes with them. */
import { useEffect } from 'react'
import { useChange } from '../../app/api.ts'
import { ConfirmDialog } from '../../ui/overlay/dialog.tsx'
import { useToasts } from '../../ui/overlay/toast.tsx'

interface DeleteDialogProps {
  readonly traceIds: readonly string[]
  readonly onClose: () => void
  readonly onDeleted: () => void
}

export function DeleteDialog({ traceIds, onClose, onDeleted }: DeleteDialogProps) {
  const toasts = useToasts()
  const { mutate: count, data: preview } = useChange('deletions.preview', {})
  useEffect(() => count({ ids: [...traceIds] }), [count, traceIds])
  const create = useChange('deletions.create', {
    refreshes: ['traces.list', 'traces.facets', 'traces.histogram', 'metrics.query'],
    onDone: ({ deletion }) => {
      toasts.done(`Deleting ${tracesOf(deletion.expectedTraces)}`)
      onDeleted()
    },
  })
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={`Delete ${tracesOf(traceIds.length)}?`}
      action="Delete"
      isBusy={create.isPending || preview === undefined}
      onConfirm={() => create.mutate({ ids: [...traceIds] })}
    >
      {preview === undefined ? (
        'Counting…'
      ) : (
        <p>
          This deletes {tracesOf(preview.traces)} with {preview.logs} logs and {preview.scores} scores, and
          their evaluations and places in annotation queues. Rows of datasets that were made from them stay.
          This cannot be undone.
        </p>
      )}
    </ConfirmDialog>
  )
}

const tracesOf = (count: number): string => `${count} ${count === 1 ? 'trace' : 'traces'}`
