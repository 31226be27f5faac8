import type { Rollout } from '@plumbline/sdk'
import { useState } from 'react'
import { useChange } from '../../app/api.ts'
import { Field, Input } from '../../ui/form/field.tsx'
import { ConfirmDialog } from '../../ui/overlay/dialog.tsx'
import { useToasts } from '../../ui/overlay/toast.tsx'
import { changedByRollouts } from './use-rollouts.ts'

export type Ending = 'promote' | 'rollback'

interface EndRolloutProps {
  readonly rollout: Rollout
  readonly decision: Ending | undefined
  readonly onClose: () => void
}

/** Confirms the end of a rollout, and states which version its users will get. */
export function EndRollout({ rollout, decision, onClose }: EndRolloutProps) {
  const { id, tag, baselineVersion, candidateVersion } = rollout
  const [reason, setReason] = useState('')
  const toasts = useToasts()
  const onDone = (message: string) => (): void => {
    setReason('')
    onClose()
    toasts.done(message)
  }
  const promote = useChange('rollouts.promote', {
    refreshes: changedByRollouts,
    onDone: onDone(`${tag} is now ${candidateVersion}`),
  })
  const rollback = useChange('rollouts.rollback', {
    refreshes: changedByRollouts,
    onDone: onDone(`Everyone is back on ${baselineVersion}`),
  })
  return (
    <>
      <ConfirmDialog
        isOpen={decision === 'promote'}
        onClose={onClose}
        title={`Promote ${candidateVersion}?`}
        action="Promote"
        isDangerous={false}
        isBusy={promote.isPending}
        onConfirm={() => promote.mutate({ id })}
      >
        <strong className="break-all">{tag}</strong> moves from {baselineVersion} to {candidateVersion}.
        Everyone gets it on their next fetch, and the rollout ends.
      </ConfirmDialog>
      <ConfirmDialog
        isOpen={decision === 'rollback'}
        onClose={onClose}
        title={`Roll ${candidateVersion} back?`}
        action="Roll back"
        isBusy={rollback.isPending}
        onConfirm={() => rollback.mutate({ id, reason: reason.trim() || null })}
      >
        <p>Everyone gets {baselineVersion} on their next fetch. The candidate version is kept.</p>
        <div className="mt-3 text-ink">
          <Field label="Reason" hint="Optional. Shown in the history.">
            <Input
              maxLength={1000}
              value={reason}
              onChange={(event) => setReason(event.currentTarget.value)}
            />
          </Field>
        </div>
      </ConfirmDialog>
    </>
  )
}
