import type { Evaluation } from '@plumbline/sdk'
import { Badge, type Tone } from '../../ui/badge.tsx'

export type Status = Evaluation['status']

interface StatusWords {
  readonly label: string
  readonly hint: string
  readonly tone: Tone
}

/** Labels of the states of an evaluation, in their order on the screen. */
export const statusWords: Readonly<Record<Status, StatusWords>> = {
  waiting: { label: 'Waiting', hint: 'in the queue', tone: 'warn' },
  running: { label: 'Running', hint: 'being evaluated', tone: 'info' },
  done: { label: 'Done', hint: 'produced a score', tone: 'good' },
  skipped: { label: 'Skipped', hint: 'there was nothing to judge', tone: 'neutral' },
  failed: { label: 'Failed', hint: 'failed; you can retry it', tone: 'bad' },
}

export function StatusBadge({ status }: { readonly status: Status }) {
  const { label, hint, tone } = statusWords[status]
  return (
    <Badge tone={tone} title={hint}>
      {label}
    </Badge>
  )
}
