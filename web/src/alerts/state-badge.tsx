import type { Alert } from '@plumbline/sdk'
import { Badge, type Tone } from '../ui/badge.tsx'
import { useNow } from '../ui/values.tsx'

type Shown = Pick<Alert, 'state' | 'isEnabled' | 'checkedAt' | 'problem'>

const tones: Readonly<Record<Alert['state'], Tone>> = { ok: 'good', pending: 'warn', firing: 'bad' }
const labels: Readonly<Record<Alert['state'], string>> = { ok: 'OK', pending: 'Pending', firing: 'Firing' }

/** How an alert stands, in a word. */
export function StateBadge({ state, isEnabled, checkedAt, problem }: Shown) {
  if (!isEnabled) return <Badge title="It is not watched">Disabled</Badge>
  if (problem !== null)
    return (
      <Badge tone="warn" title={problem}>
        {labels[state]}?
      </Badge>
    )
  if (checkedAt === null) return <Badge title="It was not looked at yet">New</Badge>
  const title =
    state === 'pending' ? 'The value is bad, and not for long enough yet to tell anybody' : undefined
  return (
    <Badge tone={tones[state]} {...(title !== undefined && { title })}>
      {labels[state]}
    </Badge>
  )
}

/** Whether an alert tells nobody now. */
export function useIsMuted({ mutedUntil }: Pick<Alert, 'mutedUntil'>): boolean {
  const now = useNow()
  return mutedUntil !== null && new Date(mutedUntil) > now
}
