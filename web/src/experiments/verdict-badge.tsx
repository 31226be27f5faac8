import { Badge, type Tone } from '../ui/badge.tsx'
import type { Judgement } from './measures.ts'

const verdicts: Readonly<Record<Judgement, { readonly label: string; readonly tone: Tone }>> = {
  better: { label: 'Better', tone: 'good' },
  worse: { label: 'Worse', tone: 'bad' },
  unclear: { label: 'Can’t tell', tone: 'neutral' },
}

interface VerdictBadgeProps {
  readonly judgement: Judgement
  /** Whether there are too few cases for any verdict. */
  readonly isTooFew?: boolean
}

/** Whether a difference is significant, in a word. */
export function VerdictBadge({ judgement, isTooFew = false }: VerdictBadgeProps) {
  const { label, tone } = verdicts[judgement]
  return <Badge tone={tone}>{isTooFew ? 'Too few' : label}</Badge>
}
