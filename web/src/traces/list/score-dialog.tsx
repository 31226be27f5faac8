/** One score for all selected traces. */
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

interface SavedScore {
  readonly id: string
  /** The saved score. */
  readonly text: string
}

export function ScoreDialog({ traceIds, onClose }: ScoreDialogProps) {
  const client = useClient()
  const queries = useQueryClient()
  const toasts = useToasts()
  const [scored, setScored] = useState<number>()
  /** By trace: a retry after a failure repeats none, and a retry with another score replaces the saved ones. */
  const savedScores = useRef(new Map<string, SavedScore>())
  const save = async (input: Input<'scores.create'>): Promise<void> => {
    const text = JSON.stringify(input)
    try {
      for (const [index, traceId] of traceIds.entries()) {
        const before = savedScores.current.get(traceId)
        if (before?.text === text) continue
        setScored(index)
        if (before !== undefined) await call(client, 'scores.delete', { id: before.id })
        savedScores.current.delete(traceId)
        const { score } = await call(client, 'scores.create', { ...input, traceId })
        savedScores.current.set(traceId, { id: score.id, text })
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
