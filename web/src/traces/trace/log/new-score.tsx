import { useChange } from '../../../app/api.ts'
import { ScoreForm } from '../../score-form.tsx'

interface NewScoreProps {
  readonly traceId: string
  readonly logId: string | undefined
  readonly onClose: () => void
}

/** A judgement by hand of a trace or one of its logs. */
export function NewScore({ traceId, logId, onClose }: NewScoreProps) {
  const create = useChange('scores.create', {
    refreshes: ['traces.outline', 'traces.get', 'scores.list'],
    onDone: onClose,
  })
  return (
    <div className="mt-3 rounded border border-line bg-sunken p-3">
      <ScoreForm
        action="Save score"
        isBusy={create.isPending}
        onSave={(score) => create.mutate({ traceId, logId: logId ?? null, ...score })}
        onClose={onClose}
      />
    </div>
  )
}
