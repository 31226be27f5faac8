import type { Alert } from '@plumbline/sdk'
import { Badge, type Tone } from '../ui/badge.tsx'
import { useNow } from '../ui/text/values.tsx'

type AlertStatus = Pick<Alert, 'state' | 'isEnabled' | 'checkedAt' | 'problem'>

const tones: Readonly<Record<Alert['state'], Tone>> = { ok: 'good', pending: 'warn', firing: 'bad' }
const labels: Readonly<Record<Alert['state'], string>> = { ok: 'OK', pending: 'Pending', firing: 'Firing' }

/** The state of an alert, as a badge. */
export function StateBadge({ state, isEnabled, checkedAt, problem }: AlertStatus) {
  if (!isEnabled) return <Badge title="This alert is not checked">Disabled</Badge>
  if (problem !== null)
    return (
      <Badge tone="warn" title={problem}>
        {labels[state]}?
      </Badge>
    )
  if (checkedAt === null) return <Badge title="Not checked yet">New</Badge>
  const title =
    state === 'pending' ? 'The value crossed the threshold, but not for long enough to fire' : undefined
  return (
    <Badge tone={tones[state]} {...(title !== undefined && { title })}>
      {labels[state]}
    </Badge>
  )
}

/** Whether an alert is snoozed now. */
export function useIsMuted({ mutedUntil }: Pick<Alert, 'mutedUntil'>): boolean {
  const now = useNow()
  return mutedUntil !== null && new Date(mutedUntil) > now
}
