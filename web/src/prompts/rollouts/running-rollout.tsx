import type { Rollout } from '@plumbline/sdk'
import schema from '@plumbline/sdk/input-schemas?rollouts.update'
import { ArrowRight } from 'lucide-react'
import { useState } from 'react'
import { useWatch } from 'react-hook-form'
import { useRead } from '../../app/api.ts'
import { useOperationForm } from '../../app/use-operation-form.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { BareForm } from '../../ui/form/form.tsx'
import { checkPercentage } from '../../ui/form/numbers.ts'
import { useToasts } from '../../ui/overlay/toast.tsx'
import { formatPercent } from '../../ui/text/format.ts'
import { RelativeTime } from '../../ui/text/values.tsx'
import { productionTag } from '../versions/tag-moves.ts'
import { VersionButton } from '../versions/version-button.tsx'
import { type Ending, EndRollout } from './end-rollout.tsx'
import { RolloutComparison } from './rollout-comparison.tsx'
import { describeRolloutChange } from './rollout-rules.ts'
import { ShareField } from './share-field.tsx'
import { changedByRollouts } from './use-rollouts.ts'

interface RunningRolloutProps {
  readonly rollout: Rollout
  readonly mayChange: boolean
  readonly onOpen: (version: string) => void
}

/** A running rollout: its versions and percentage, how both perform, and the two ways to end it. */
export function RunningRollout({ rollout, mayChange, onOpen }: RunningRolloutProps) {
  const { tag, baselineVersion, candidateVersion, share, createdAt, createdByName } = rollout
  const [ending, setEnding] = useState<Ending>()
  return (
    <section aria-label={`Rollout of ${tag}`} className="flex flex-col rounded border border-line">
      <header className="flex flex-wrap items-center gap-2 border-b border-line px-3 py-2">
        <Badge tone={tag === productionTag ? 'good' : 'neutral'}>{tag}</Badge>
        <VersionButton version={baselineVersion} onOpen={onOpen} />
        <ArrowRight aria-label="is replaced by" size={14} className="text-ink-3" />
        <VersionButton version={candidateVersion} onOpen={onOpen} />
        <Badge tone="accent">{formatPercent(share)}</Badge>
        <span className="text-xs text-ink-3">
          since <RelativeTime time={createdAt} />
          {createdByName !== undefined && `, by ${createdByName}`}
        </span>
        {mayChange && (
          <span className="ml-auto flex gap-2">
            <Button size="small" look="danger" onClick={() => setEnding('rollback')}>
              Roll back…
            </Button>
            <Button size="small" onClick={() => setEnding('promote')}>
              Promote…
            </Button>
          </span>
        )}
      </header>
      <div className="flex flex-col gap-3 border-b border-line p-3 empty:hidden">
        {mayChange && <ShareControl key={share} rollout={rollout} />}
        <Guards rollout={rollout} />
      </div>
      <RolloutComparison rollout={rollout} />
      <EndRollout rollout={rollout} decision={ending} onClose={() => setEnding(undefined)} />
    </section>
  )
}

/** Keyed by the share, so that it resets to the percentage currently served. */
function ShareControl({ rollout: { id, share } }: { readonly rollout: Rollout }) {
  const toasts = useToasts()
  const form = useOperationForm('rollouts.update', {
    schema,
    initial: { share: share as number | undefined },
    check: (values) => checkPercentage('share', values.share),
    toInput: ({ share: next = Number.NaN }) => ({ id, share: next }),
    refreshes: changedByRollouts,
    onDone: ({ rollout }) => toasts.done(`${formatPercent(rollout.share)} get the candidate`),
  })
  const next = useWatch({ control: form.control, name: 'share' })
  const words = next !== undefined && next >= 0 && next <= 1 ? describeRolloutChange(share, next) : undefined
  return (
    <BareForm form={form} className="flex max-w-2xl flex-col gap-2">
      <ShareField form={form} />
      {words !== undefined && next !== undefined && (
        <div className="flex flex-wrap items-center gap-3">
          <Button type="submit" size="small" isBusy={form.formState.isSubmitting}>
            Set to {formatPercent(next)}
          </Button>
          <Button size="small" look="quiet" onClick={() => form.reset()}>
            Keep {formatPercent(share)}
          </Button>
          <span className="text-xs text-ink-2">{words}</span>
        </div>
      )}
    </BareForm>
  )
}

/** The alerts that trigger a rollback, with their states. */
function Guards({ rollout: { alertIds } }: { readonly rollout: Rollout }) {
  const alerts = useRead('alerts.list', {}, { enabled: alertIds.length > 0 }).data?.alerts
  if (alertIds.length === 0)
    return <p className="text-xs text-ink-3">No automatic rollback: keep an eye on it.</p>
  const rollbackAlerts = alerts?.filter(({ id }) => alertIds.includes(id)) ?? []
  return (
    <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-xs text-ink-2">
      Rolls back when one of these fires:
      {rollbackAlerts.map(({ id, name, state, isEnabled }) => (
        <Badge key={id} tone={isEnabled ? (state === 'ok' ? 'good' : 'warn') : 'neutral'} title={name}>
          {name}
          {!isEnabled && ' (off)'}
        </Badge>
      ))}
    </p>
  )
}
