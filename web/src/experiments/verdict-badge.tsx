import { Badge, type Tone } from '../ui/badge.tsx'
import type { Judgement } from './measures.ts'

const verdicts: Readonly<Record<Judgement, { readonly label: string; readonly tone: Tone }>> = {
  better: { label: 'Better', tone: 'good' },
  worse: { label: 'Worse', tone: 'bad' },
  unclear: { label: 'Can’t tell', tone: 'neutral' },
}

/** What the interval of a difference tells, in a word. */
export function VerdictBadge({ judgement }: { readonly judgement: Judgement }) {
  const { label, tone } = verdicts[judgement]
  return <Badge tone={tone}>{label}</Badge>
}
