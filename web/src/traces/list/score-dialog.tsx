/** One judgement for all traces that were chosen. */
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call, refresh, useClient } from '../../app/api.ts'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import { useToasts } from '../../ui/overlay/toast.tsx'
import { ScoreForm, type WrittenScore } from '../score-form.tsx'

interface ScoreDialogProps {
  readonly traceIds: readonly string[]
  readonly onClose: () => void
}

export function ScoreDialog({ traceIds, onClose }: ScoreDialogProps) {
  const client = useClient()
  const queries = useQueryClient()
  const toasts = useToasts()
  const [scored, setScored] = useState<number>()
  const save = async (score: WrittenScore): Promise<void> => {
    try {
      for (const [index, traceId] of traceIds.entries()) {
        setScored(index)
        await call(client, 'scores.create', { traceId, ...score })
      }
      toasts.done(`Scored ${traceIds.length} ${traceIds.length === 1 ? 'trace' : 'traces'}`)
      onClose()
    } catch (error) {
      toasts.fail(error)
    }
    setScored(undefined)
    await refresh(queries, ['scores.list', 'traces.outline', 'traces.get', 'traces.facets'])
  }
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={`Score ${traceIds.length} ${traceIds.length === 1 ? 'trace' : 'traces'}`}
      description="Each gets the same score, in your name."
    >
      <ScoreForm
        action={scored === undefined ? 'Score' : `${scored} of ${traceIds.length}`}
        isBusy={scored !== undefined}
        onSave={(score) => void save(score)}
        onClose={onClose}
      />
    </Dialog>
  )
}
