import type { Output } from '../../app/api.ts'
import { Badge, type Tone } from '../../ui/badge.tsx'

export type Run = Output<'experimentRuns.get'>['run']
export type CaseStatus = Output<'experimentRuns.cases'>['cases'][number]['status']

/** The state of a run, in a word. */
export function RunBadge({ run }: { readonly run: Pick<Run, 'status' | 'counts' | 'problem'> }) {
  const { label, tone } = standingOf(run)
  return <Badge tone={tone}>{label}</Badge>
}

function standingOf({ status, counts, problem }: Pick<Run, 'status' | 'counts' | 'problem'>): {
  readonly label: string
  readonly tone: Tone
} {
  if (status === 'cancelled') return { label: 'Cancelled', tone: 'neutral' }
  if (status === 'done')
    return counts.failed > 0
      ? { label: `${counts.failed.toLocaleString('en-US')} failed`, tone: 'bad' }
      : { label: 'Done', tone: 'good' }
  return problem === null ? { label: 'Running', tone: 'info' } : { label: 'Blocked', tone: 'warn' }
}

const words: Readonly<Record<CaseStatus, { readonly label: string; readonly tone: Tone }>> = {
  waiting: { label: 'Waiting', tone: 'warn' },
  running: { label: 'Running', tone: 'info' },
  done: { label: 'Done', tone: 'good' },
  failed: { label: 'Failed', tone: 'bad' },
  cancelled: { label: 'Cancelled', tone: 'neutral' },
}

export const caseLabel = (status: CaseStatus): string => words[status].label

export const CaseBadge = ({ status }: { readonly status: CaseStatus }) => (
  <Badge tone={words[status].tone}>{words[status].label}</Badge>
)
