import type { Rollout } from '@plumbline/sdk'
import { ArrowRight, ChevronDown, ChevronRight } from 'lucide-react'
import { useState } from 'react'
import { Badge } from '../../ui/badge.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import { formatPercent } from '../../ui/text/format.ts'
import { RelativeTime } from '../../ui/text/values.tsx'
import { productionTag } from '../versions/tag-moves.ts'
import { VersionButton } from '../versions/version-button.tsx'
import { RolloutComparison } from './rollout-comparison.tsx'
import { statuses } from './rollout-rules.ts'

interface PastRolloutsProps {
  readonly rollouts: readonly Rollout[]
  readonly onOpen: (version: string) => void
  /** Absent if there are no older ones. */
  readonly onMore: (() => void) | undefined
}

/** Past rollouts: how and why they ended, by whom, and the result of the comparison. */
export function PastRollouts({ rollouts, onOpen, onMore }: PastRolloutsProps) {
  return (
    <section aria-label="Past rollouts" className="flex flex-col gap-2">
      <h2 className="text-sm font-semibold">Past rollouts</h2>
      <ol className="flex flex-col rounded border border-line">
        {rollouts.map((rollout) => (
          <PastRollout key={rollout.id} rollout={rollout} onOpen={onOpen} />
        ))}
      </ol>
      {onMore !== undefined && (
        <span>
          <Button size="small" onClick={onMore}>
            Show older rollouts
          </Button>
        </span>
      )}
    </section>
  )
}

function PastRollout({ rollout, onOpen }: Pick<PastRolloutsProps, 'onOpen'> & { readonly rollout: Rollout }) {
  const [isOpen, setOpen] = useState(false)
  const {
    tag,
    baselineVersion,
    candidateVersion,
    share,
    status,
    reason,
    endedAt,
    endedByName,
    endedByAlertId,
  } = rollout
  const { label, tone } = statuses[status]
  return (
    <li className="border-b border-line last:border-0">
      <div className="flex min-h-11 flex-wrap items-center gap-x-2 gap-y-1 px-3 py-1.5 text-sm">
        <IconButton
          size="small"
          label={isOpen ? 'Hide the comparison' : 'Show the comparison'}
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? <ChevronDown aria-hidden size={14} /> : <ChevronRight aria-hidden size={14} />}
        </IconButton>
        <Badge tone={tone}>{label}</Badge>
        <Badge tone={tag === productionTag ? 'good' : 'neutral'}>{tag}</Badge>
        <VersionButton version={baselineVersion} onOpen={onOpen} />
        <ArrowRight aria-label="to" size={14} className="text-ink-3" />
        <VersionButton version={candidateVersion} onOpen={onOpen} />
        <span className="text-xs text-ink-3">at {formatPercent(share)}</span>
        {reason !== undefined && (
          <span dir="auto" className="min-w-0 text-xs wrap-anywhere text-ink-2">
            {reason}
          </span>
        )}
        <span className="ml-auto flex gap-2 text-xs text-ink-3">
          <span className="max-w-48 truncate">
            {endedByName ?? (endedByAlertId === undefined ? 'the service' : 'an alert')}
          </span>
          <RelativeTime time={endedAt} />
        </span>
      </div>
      {isOpen && (
        <div className="border-t border-line">
          <RolloutComparison rollout={rollout} />
        </div>
      )}
    </li>
  )
}
