import { differenceOf } from '@plumbline/sdk/trace-fields'
import { classNames } from '../../ui/class-names.ts'
import {
  formatCount,
  formatDuration,
  formatMoney,
  formatPercent,
  formatTokens,
} from '../../ui/text/format.ts'
import { Nothing } from '../../ui/text/values.tsx'

const formats = { ms: formatDuration, usd: formatMoney, tokens: formatTokens, count: formatCount } as const

interface DeltaProps {
  readonly before: number | undefined
  readonly after: number | undefined
  readonly unit: keyof typeof formats
}

/** Differences below this share are noise, and stay grey. */
const noise = 0.05

/** The change in the second trace: more is bad, for time, cost and tokens alike. */
export function Delta({ before, after, unit }: DeltaProps) {
  if (before === undefined || after === undefined) return <Nothing />
  const delta = differenceOf(after, before)
  const share = before === 0 ? undefined : delta / before
  const isNoise = delta === 0 || (share !== undefined && Math.abs(share) < noise)
  const format = formats[unit]
  return (
    <span
      className={classNames(
        'numbers whitespace-nowrap',
        isNoise ? 'text-ink-3' : delta > 0 ? 'text-bad' : 'text-good',
      )}
      title={`${format(before)} → ${format(after)}${share === undefined ? '' : ` (${delta > 0 ? '+' : ''}${formatPercent(share)})`}`}
    >
      {delta === 0 ? '±0' : `${delta > 0 ? '+' : '−'}${format(Math.abs(delta))}`}
    </span>
  )
}
