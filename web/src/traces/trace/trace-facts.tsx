/** The facts and figures of a trace in one line, each figure with its rank among the traces of its feature. */
import type { StoredTrace } from '@plumbline/sdk'
import { fieldEntries, type RecordedTraceFields } from '@plumbline/sdk/trace-fields'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useRead } from '../../app/api.ts'
import { rangeWith } from '../../app/range/range.ts'
import { useRange } from '../../app/range/use-range.ts'
import { Badge } from '../../ui/badge.tsx'
import { shortId } from '../../ui/text/format.ts'
import { Duration, Money, Nothing, RelativeTime, Tokens } from '../../ui/text/values.tsx'
import { toggleValue } from '../filter/change-filter.ts'
import { hasTokens } from '../has-tokens.ts'
import { type Rank, RankBadge } from './rank-badge.tsx'

interface TraceFactsProps {
  readonly trace: StoredTrace
  readonly linkedTraces: readonly { readonly id: string; readonly name: string }[]
}

export function TraceFacts({ trace, linkedTraces }: TraceFactsProps) {
  const { totals, user, organization, featureSlug } = trace
  const { unpriced = 0 } = totals
  const ranks = useRead('traces.percentiles', { id: trace.id }).data
  const { range: selectedRange } = useRange()
  const range = rangeWith(new Date(trace.startTime), selectedRange, new Date())
  const groupLabel = featureSlug ?? 'traces without a feature'
  const badge = (rank: Rank | undefined, unit: 'ms' | 'usd' | 'tokens'): ReactNode =>
    rank !== undefined &&
    ranks !== undefined && <RankBadge rank={rank} unit={unit} groupLabel={groupLabel} traces={ranks.traces} />
  return (
    <dl className="flex shrink-0 flex-wrap items-center gap-x-6 gap-y-1 border-b border-line px-4 py-2 text-sm">
      <Fact label="Duration">
        <Duration value={totals.durationMs} />
        {badge(ranks?.durationMs, 'ms')}
      </Fact>
      <Fact label="Cost">
        <Money value={totals.cost} isEstimate={totals.tokensEstimated} />
        {badge(ranks?.cost, 'usd')}
        {unpriced > 0 && (
          <span className="text-xs text-ink-3" title="No price is known for the model of these calls.">
            {totals.cost !== null && 'without '}
            {unpriced === 1 ? '1 call' : `${unpriced} calls`}
            {totals.cost === null && ' without a price'}
          </span>
        )}
      </Fact>
      <Fact label="Tokens">
        {!hasTokens(totals) ? (
          <Nothing />
        ) : (
          <>
            <Tokens value={totals.inputTokens} isEstimate={totals.tokensEstimated} />
            <span className="text-ink-3">in</span>
            <Tokens value={totals.outputTokens} isEstimate={totals.tokensEstimated} />
            <span className="text-ink-3">out</span>
          </>
        )}
        {hasTokens(totals) && badge(ranks?.tokens, 'tokens')}
      </Fact>
      {totals.errors > 0 && (
        <Fact label="Failed">
          <Badge tone="bad">{totals.errors === 1 ? '1 log' : `${totals.errors} logs`}</Badge>
        </Fact>
      )}
      <Fact label="Started">
        <RelativeTime time={trace.startTime} />
      </Fact>
      {featureSlug !== null && (
        <FilterFact label="Feature" field="feature" value={featureSlug} range={range} />
      )}
      {user !== null && (
        <FilterFact label="User" field="user" value={user.id} name={user.name} range={range} />
      )}
      {organization !== null && (
        <FilterFact
          label="Customer"
          field="organization"
          value={organization.id}
          name={organization.name}
          range={range}
        />
      )}
      {recordedFacts(trace).map(({ field, label, values }) => (
        <ValuesFact key={field} label={label} field={field} values={values} range={range} />
      ))}
      {linkedTraces.length > 0 && (
        <Fact label="Same OpenTelemetry trace">
          {linkedTraces.map(({ id, name }) => (
            <Link
              key={id}
              to="/traces/$id"
              params={{ id }}
              title={name}
              className="truncate text-accent-ink hover:underline"
            >
              {name}
            </Link>
          ))}
        </Fact>
      )}
      {trace.experiment !== null && (
        <Fact label="Experiment">
          <Link
            to="/experiments/compare"
            search={{ ids: trace.experiment.id }}
            className="text-accent-ink hover:underline"
          >
            {shortId(trace.experiment.id)}
          </Link>
        </Fact>
      )}
    </dl>
  )
}

/** The recorded fields of the trace. */
const recordedFacts = (trace: StoredTrace) =>
  fieldEntries.flatMap(([field, { label, recordedField, column }]) => {
    if (recordedField === undefined || column === undefined) return []
    // Safe: a trace has recorded fields under their names.
    const value = trace[recordedField.name as keyof RecordedTraceFields]
    const values = typeof value === 'string' ? [value] : [...new Set(value)]
    return values.length === 0 ? [] : [{ field, label, values }]
  })

const Fact = ({ label, children }: { readonly label: string; readonly children: ReactNode }) => (
  <div className="flex min-w-0 items-center gap-2">
    <dt className="text-xs text-ink-3">{label}</dt>
    <dd dir="auto" className="flex min-w-0 max-w-60 items-center gap-1 truncate">
      {children}
    </dd>
  </div>
)

interface FilterFactProps {
  readonly label: string
  /** The field of the list's filter. */
  readonly field: string
  readonly value: string
  /** Its name; the value if it has none. */
  readonly name?: string | undefined
  /** A range in which the list contains the trace; undefined if the selected one does. */
  readonly range: string | undefined
}

const FilterFact = ({ label, ...filter }: FilterFactProps) => (
  <Fact label={label}>
    <FilterLink {...filter} />
  </Fact>
)

interface ValuesFactProps {
  readonly label: string
  readonly field: string
  readonly values: readonly string[]
  readonly range: string | undefined
}

const valuesMax = 10

/** Several values in one line, each with its own link; beyond ten, the number of the others. */
const ValuesFact = ({ label, field, values, range }: ValuesFactProps) => (
  <div className="flex min-w-0 items-center gap-2">
    <dt className="text-xs text-ink-3">{label}</dt>
    <dd dir="auto" className="flex min-w-0 flex-wrap items-center gap-x-2">
      {values.slice(0, valuesMax).map((value) => (
        <FilterLink key={value} field={field} value={value} range={range} />
      ))}
      {values.length > valuesMax && <span className="text-ink-3">and {values.length - valuesMax} more</span>}
    </dd>
  </div>
)

/** Links to all traces with the same value. */
function FilterLink({ field, value, name = '', range }: Omit<FilterFactProps, 'label'>) {
  const displayName = name === '' ? value : name
  return (
    <Link
      to="/traces"
      search={{ q: toggleValue('', field, value), ...(range !== undefined && { range }) }}
      title={displayName === value ? value : `${displayName} (${value})`}
      className="max-w-60 truncate hover:text-accent-ink hover:underline"
    >
      {displayName}
    </Link>
  )
}
