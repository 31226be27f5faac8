import { useChange } from '../../../app/api.ts'
import { ScoreForm } from '../../score-form.tsx'

interface NewScoreProps {
  readonly traceId: string
  readonly logId: string | undefined
  readonly onClose: () => void
}

/** A manual score for a trace or one of its logs. */
export function NewScore({ traceId, logId, onClose }: NewScoreProps) {
  const create = useChange('scores.create', {
    refreshes: ['traces.outline', 'traces.get', 'scores.list'],
    onDone: onClose,
    showsErrors: true,
  })
  return (
    <div className="mt-3 rounded border border-line bg-sunken p-3">
      <ScoreForm
        subject={{ traceId, logId: logId ?? null }}
        action="Save score"
        onSave={create.mutateAsync}
        onClose={onClose}
      />
    </div>
  )
}
