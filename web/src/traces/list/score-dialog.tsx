/** One judgement for all traces that were chosen. */
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { call, type Input, refresh, useClient } from '../../app/api.ts'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import { useToasts } from '../../ui/overlay/toast.tsx'
import { ScoreForm } from '../score-form.tsx'

interface ScoreDialogProps {
  readonly traceIds: readonly string[]
  readonly onClose: () => void
}

export function ScoreDialog({ traceIds, onClose }: ScoreDialogProps) {
  const client = useClient()
  const queries = useQueryClient()
  const toasts = useToasts()
  const [scored, setScored] = useState<number>()
  /** Of those before it each has its score: another try after a failure begins there. */
  const next = useRef(0)
  const save = async (score: Input<'scores.create'>): Promise<void> => {
    try {
      for (const traceId of traceIds.slice(next.current)) {
        setScored(next.current)
        await call(client, 'scores.create', { ...score, traceId })
        next.current += 1
      }
      toasts.done(`Scored ${traceIds.length} ${traceIds.length === 1 ? 'trace' : 'traces'}`)
      onClose()
    } finally {
      setScored(undefined)
      void refresh(queries, ['scores.list', 'traces.outline', 'traces.get', 'traces.facets'])
    }
  }
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={`Score ${traceIds.length} ${traceIds.length === 1 ? 'trace' : 'traces'}`}
      description="Each gets the same score, in your name."
    >
      <ScoreForm
        subject={{ traceId: traceIds[0] ?? '' }}
        action={scored === undefined ? 'Score' : `${scored} of ${traceIds.length}`}
        onSave={save}
        onClose={onClose}
      />
    </Dialog>
  )
}
