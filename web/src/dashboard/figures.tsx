import { formatCount, formatDuration, formatMoney, formatPercent, nothing } from '../ui/text/format.ts'
import { Count, Duration, Money, Tokens } from '../ui/text/values.tsx'
import { FigureTile } from './figure-tile.tsx'
import type { Row } from './groupings.ts'
import type { Metrics } from './use-metrics.ts'

interface FiguresProps {
  readonly metrics: Metrics
  readonly tracesLink: (more: string) => { readonly q?: string; readonly range: string }
}

const numberIn = (row: Row | undefined, name: string): number | null | undefined => {
  if (row === undefined) return undefined
  const value = row[name]
  return typeof value === 'number' ? value : null
}

/** The figures of the whole range, compared with the previous period. */
export function Figures({ metrics, tracesLink }: FiguresProps) {
  const now = metrics.totals.data?.rows[0]
  const previous = metrics.previous.data?.rows[0]
  const valuesOf = (name: string) => ({ value: numberIn(now, name), before: numberIn(previous, name) })
  const duration = (name: string): string => {
    const value = numberIn(now, name)
    return typeof value === 'number' ? formatDuration(value) : nothing
  }
  const tokens = (name: string): string => formatCount(numberIn(now, name) ?? 0)
  const all = tracesLink('')
  return (
    <dl aria-label="Figures" className="grid grid-cols-6 gap-3 max-xl:grid-cols-3 max-sm:grid-cols-2">
      <FigureTile
        label="Traces"
        {...valuesOf('traces')}
        show={(value) => <Count value={value} />}
        format={formatCount}
        search={all}
      />
      <FigureTile
        label="Cost"
        {...valuesOf('cost')}
        show={(value) => <Money value={value} />}
        format={formatMoney}
        hint={perTrace(now)}
        search={all}
      />
      <FigureTile
        label="Tokens"
        {...valuesOf('totalTokens')}
        show={(value) => <Tokens value={value} />}
        format={formatCount}
        hint={now && `${tokens('inputTokens')} in, ${tokens('outputTokens')} out`}
        search={all}
      />
      <FigureTile
        label="Latency, p95"
        {...valuesOf('p95DurationMs')}
        show={(value) => <Duration value={value} />}
        format={formatDuration}
        more="bad"
        hint={now && `average ${duration('avgDurationMs')}, p50 ${duration('p50DurationMs')}`}
        search={all}
      />
      <FigureTile
        label="Failed"
        {...valuesOf('errorRate')}
        show={(value) => (value === null ? nothing : formatPercent(value))}
        format={formatPercent}
        more="bad"
        search={tracesLink('hasError:true')}
      />
      <FigureTile
        label="Users"
        {...valuesOf('users')}
        show={(value) => <Count value={value} />}
        format={formatCount}
        search={tracesLink('user:*')}
      />
    </dl>
  )
}

function perTrace(row: Row | undefined): string | undefined {
  const [cost, traces] = [numberIn(row, 'cost'), numberIn(row, 'traces')]
  return cost && traces ? `${formatMoney(cost / traces)} per trace` : undefined
}
