import type { Output } from '../../app/api.ts'
import { Badge } from '../../ui/badge.tsx'
import { formatCount, formatDuration, formatMoney, formatTokens, nothing } from '../../ui/text/format.ts'

export type Rank = Output<'traces.percentiles'>['cost']

interface RankBadgeProps {
  readonly rank: Rank
  readonly unit: 'ms' | 'usd' | 'tokens'
  readonly groupLabel: string
  /** The number of traces compared with. */
  readonly traces: number
}

/** With fewer traces, a rank is not meaningful. */
const tracesMin = 10

const formats = { ms: formatDuration, usd: formatMoney, tokens: formatTokens } as const

/** `p97`: the percentile of a trace's figure among the traces of its feature. */
export function RankBadge({ rank: { rank, p50, p95, p99 }, unit, groupLabel, traces }: RankBadgeProps) {
  if (rank === null || traces < tracesMin) return null
  const format = (value: number | null): string => (value === null ? nothing : formats[unit](value))
  const percentile = Math.min(99, Math.floor(rank * 100))
  return (
    <Badge
      tone={rank >= 0.95 ? 'warn' : 'neutral'}
      title={`p${percentile} of ${groupLabel}: ${percentile}% of its ${formatCount(traces)} traces in the previous 30 days have the same or less.\nmedian ${format(p50)}, p95 ${format(p95)}, p99 ${format(p99)}`}
    >
      p{percentile}
    </Badge>
  )
}
