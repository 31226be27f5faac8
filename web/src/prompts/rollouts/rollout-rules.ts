/** Formats and judges the shares and measures of a rollout. Pure. */
import type { Rollout, RolloutMeasure } from '@plumbline/sdk'
import {
  formatDelta,
  formatMeasure,
  type Judgement,
  judgeInterval,
  measureLabel,
} from '../../experiments/measures.ts'
import type { Tone } from '../../ui/badge.tsx'
import { formatPercent } from '../../ui/text/format.ts'

export const statuses: Readonly<Record<Rollout['status'], { readonly label: string; readonly tone: Tone }>> =
  {
    running: { label: 'Running', tone: 'accent' },
    promoted: { label: 'Promoted', tone: 'good' },
    rolled_back: { label: 'Rolled back', tone: 'bad' },
    stopped: { label: 'Stopped', tone: 'neutral' },
  }

/** Preset shares. */
export const offeredShares: readonly number[] = [0.01, 0.05, 0.1, 0.25, 0.5, 1]

/** The effect of a change on users, in a sentence; undefined if there is none. */
export function describeRolloutChange(previous: number, next: number): string | undefined {
  const difference = formatPercent(Math.abs(next - previous))
  if (next > previous) return `${difference} more get the candidate. Users who already have it keep it.`
  return next < previous ? `${difference} return to the baseline.` : undefined
}

const names: Readonly<Record<string, string>> = {
  cost: 'Cost per call',
  durationMs: 'Mean duration',
  errorRate: 'Error rate',
  tokens: 'Tokens per call',
}

export const rolloutMeasureLabel = ({ name }: Pick<RolloutMeasure, 'name'>): string =>
  names[name] ?? measureLabel(name)

export const formatValue = ({ name, isShare }: RolloutMeasure, value: number): string =>
  isShare ? formatPercent(value) : formatMeasure(name, value)

/** With its sign; a difference of shares is in percentage points. */
export function formatDifference({ name, isShare }: RolloutMeasure, value: number): string {
  if (!isShare || value === 0) return formatDelta(name, value)
  return `${value > 0 ? '+' : '−'}${formatPercent(Math.abs(value)).replace('%', ' pt')}`
}

/** Better or worse only if the interval of the difference excludes 0. */
export const judgementOf = ({ difference, lowerIsBetter }: RolloutMeasure): Judgement =>
  difference === null ? 'unclear' : judgeInterval(difference, lowerIsBetter)
