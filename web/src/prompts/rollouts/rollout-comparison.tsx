// biome-ignore-all lint/a11y/noNoninteractiveTabindex: What scrolls must be reached by keyboard.
import type { Rollout, RolloutMeasure } from '@plumbline/sdk'
import { ArrowDown, ArrowUp } from 'lucide-react'
import type { ReactNode } from 'react'
import { useState } from 'react'
import { type Output, useRead } from '../../app/api.ts'
import { IntervalBar } from '../../experiments/interval-bar.tsx'
import { judgementClass } from '../../experiments/measures.ts'
import { VerdictBadge } from '../../experiments/verdict-badge.tsx'
import { classNames } from '../../ui/class-names.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { Select } from '../../ui/form/select.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { formatPercent } from '../../ui/text/format.ts'
import { Count, Duration, Nothing } from '../../ui/text/values.tsx'
import { formatDifference, formatValue, judgementOf, rolloutMeasureLabel } from './rollout-rules.ts'

type Comparison = Output<'rollouts.compare'>
type Variant = Comparison['baseline']

const beginning = 'beginning'

/** The figures of baseline and candidate, with the interval of the difference. */
export function RolloutComparison({ rollout }: { readonly rollout: Rollout }) {
  const { id, status, shares } = rollout
  const [since, setSince] = useState(beginning)
  const comparison = useRead(
    'rollouts.compare',
    { id, ...(since !== beginning && { from: since }) },
    status === 'running' ? { refreshMs: 10_000 } : {},
  )
  if (comparison.isError && comparison.data === undefined)
    return <ErrorState error={comparison.error} onRetry={() => void comparison.refetch()} />
  if (comparison.data === undefined) return <SkeletonRows count={4} />
  const { baseline, candidate, measures } = comparison.data
  if (baseline.calls + candidate.calls === 0 && since === beginning)
    return (
      <p className="p-3 text-sm text-ink-2">
        No logs use either version yet. The comparison uses logs that name the served version. The SDK adds it
        when you pass a generation its <code className="font-mono">prompt</code>.
      </p>
    )
  return (
    <>
      {shares.length > 1 && (
        <div className="flex items-center gap-2 px-3 pt-3">
          <span className="text-xs text-ink-3">Traces</span>
          <Select
            label="Traces since"
            className="h-7 text-xs"
            value={since}
            onChange={setSince}
            choices={[
              { value: beginning, label: 'since the start' },
              ...shares.slice(0, -1).map(({ share, changedAt }) => ({
                value: changedAt,
                label: `since ${formatPercent(share)}`,
              })),
            ]}
          />
        </div>
      )}
      <section tabIndex={0} aria-label="Comparison" className="relative overflow-x-auto">
        <table className="w-full min-w-170 table-fixed border-collapse text-sm">
          <thead className="text-left text-xs text-ink-3">
            <tr className="border-b border-line">
              <th scope="col" className="w-36 px-3 py-2 font-medium">
                Measure
              </th>
              <VersionHeader label="Baseline" version={baseline.version} />
              <VersionHeader label="Candidate" version={candidate.version} />
              <th scope="col" className="w-24 px-3 py-2 text-right font-medium">
                Difference
              </th>
              <th scope="col" className="px-3 py-2 font-medium">
                95% interval
              </th>
              <th scope="col" className="w-24 px-3 py-2 font-medium">
                <span className="sr-only">Verdict</span>
              </th>
            </tr>
          </thead>
          <tbody>
            <PlainRow label="Calls" figureOf={({ calls }) => <Count value={calls} />} {...comparison.data} />
            <PlainRow
              label="Users"
              hint="A trace without a user counts as one user"
              figureOf={({ users }) => <Count value={users} />}
              {...comparison.data}
            />
            <PlainRow
              label="p50 duration"
              figureOf={({ p50DurationMs }) => <Duration value={p50DurationMs} />}
              {...comparison.data}
            />
            <PlainRow
              label="p95 duration"
              figureOf={({ p95DurationMs }) => <Duration value={p95DurationMs} />}
              {...comparison.data}
            />
            {measures.map((measure) => (
              <MeasureRow key={measure.name} measure={measure} />
            ))}
          </tbody>
        </table>
      </section>
    </>
  )
}

const VersionHeader = ({ label, version }: { readonly label: string; readonly version: string }) => (
  <th scope="col" className="w-32 px-3 py-2 font-medium">
    {label}
    <code className="block truncate font-mono text-ink" title={version}>
      {version}
    </code>
  </th>
)

interface PlainRowProps extends Pick<Comparison, 'baseline' | 'candidate'> {
  readonly label: string
  readonly hint?: string
  readonly figureOf: (variant: Variant) => ReactNode
}

/** A figure without an interval. */
const PlainRow = ({ label, hint, figureOf, baseline, candidate }: PlainRowProps) => (
  <tr className="border-b border-line">
    <th scope="row" title={hint} className="px-3 py-1.5 text-left font-medium">
      {label}
    </th>
    <td className="px-3 py-1.5">{figureOf(baseline)}</td>
    <td className="px-3 py-1.5">{figureOf(candidate)}</td>
    <td colSpan={3} />
  </tr>
)

function MeasureRow({ measure }: { readonly measure: RolloutMeasure }) {
  const { name, lowerIsBetter, difference } = measure
  const judgement = judgementOf(measure)
  const Icon = lowerIsBetter ? ArrowDown : ArrowUp
  const hasInterval = difference !== null && difference.low !== null && difference.high !== null
  return (
    <tr className="border-b border-line last:border-b-0">
      <th scope="row" className="px-3 py-1.5 text-left font-medium">
        <span className="flex items-center gap-1.5" title={`${lowerIsBetter ? 'Lower' : 'Higher'} is better`}>
          <span className="truncate">{rolloutMeasureLabel(measure)}</span>
          <Icon aria-hidden size={12} className="shrink-0 text-ink-3" />
        </span>
      </th>
      <EstimateCell measure={measure} variant="baseline" />
      <EstimateCell measure={measure} variant="candidate" />
      <td className={classNames('numbers px-3 py-1.5 text-right', judgementClass[judgement])}>
        {difference === null ? <Nothing /> : formatDifference(measure, difference.value)}
      </td>
      <td className="px-3 py-1.5">
        {hasInterval ? (
          <IntervalBar
            measure={name}
            low={difference.low ?? 0}
            mean={difference.value}
            high={difference.high ?? 0}
            reach={Math.max(Math.abs(difference.low ?? 0), Math.abs(difference.high ?? 0))}
            judgement={judgement}
          />
        ) : (
          <span className="text-xs text-ink-3">not enough data</span>
        )}
      </td>
      <td className="px-3 py-1.5">{hasInterval && <VerdictBadge judgement={judgement} />}</td>
    </tr>
  )
}

function EstimateCell({
  measure,
  variant,
}: {
  readonly measure: RolloutMeasure
  readonly variant: 'baseline' | 'candidate'
}) {
  const estimate = measure[variant]
  if (estimate === null)
    return (
      <td className="px-3 py-1.5">
        <Nothing />
      </td>
    )
  const { mean, low, high, count } = estimate
  const interval =
    low === null || high === null
      ? 'not enough data for an interval'
      : `95% interval ${formatValue(measure, low)} to ${formatValue(measure, high)}`
  return (
    <td className="px-3 py-1.5" title={interval}>
      <span className="flex flex-wrap items-baseline gap-x-1.5">
        <span className="numbers font-medium">{formatValue(measure, mean)}</span>
        <span className="text-xs whitespace-nowrap text-ink-3">
          n <Count value={count} />
        </span>
      </span>
    </td>
  )
}
