/** Which traces were sampled for evaluation, and whether the rate is as expected. */
import type { Evaluator, SamplingGroup } from '@plumbline/sdk'
import { Link } from '@tanstack/react-router'
import { Dices } from 'lucide-react'
import { useRead } from '../app/api.ts'
import { rangeInput, useRange } from '../app/range/use-range.ts'
import { Badge } from '../ui/badge.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorState } from '../ui/error-state.tsx'
import { SkeletonRows } from '../ui/skeleton.tsx'
import { exactNumber, formatPercent, nothing } from '../ui/text/format.ts'
import { Count } from '../ui/text/values.tsx'
import { deciderLabel } from './sampling-labels.ts'

export function SamplingTab({ evaluator: { slug, sampleRate } }: { readonly evaluator: Evaluator }) {
  const { range } = useRange()
  const answer = useRead('evaluators.sampling', { slug, ...rangeInput(range) })
  if (answer.isError && answer.data === undefined)
    return <ErrorState error={answer.error} onRetry={() => void answer.refetch()} />
  if (answer.data === undefined) return <SkeletonRows count={4} />
  const { eligible, drawn: sampledCount, groups } = answer.data
  if (eligible === 0)
    return (
      <EmptyState icon={<Dices size={20} />} title="No traces in this range name this evaluator">
        A trace is evaluated automatically when it, or one of its logs, lists <code>{slug}</code> in its{' '}
        <code>evaluators</code>; {formatPercent(sampleRate)} of those are sampled. You can evaluate any trace
        from its screen.
      </EmptyState>
    )
  const linkClass = 'text-accent-ink hover:underline'
  return (
    <div className="flex h-full flex-col gap-6 overflow-y-auto p-4">
      <div className="flex flex-wrap gap-x-10 gap-y-4">
        <dl className="flex flex-wrap gap-x-10 gap-y-4">
          <Figure label="Traces that name it">
            <Count value={eligible} />
          </Figure>
          <Figure label="Sampled">
            <Count value={sampledCount} />
          </Figure>
          <Figure label="Percentage">
            <span className="numbers" title={exactNumber(sampledCount / eligible)}>
              {formatPercent(sampledCount / eligible)}
            </span>
          </Figure>
        </dl>
        <div className="flex items-end gap-4 pb-0.5 text-sm">
          <Link to="/traces" search={{ q: `evaluator:${slug} sampled:true` }} className={linkClass}>
            Sampled traces
          </Link>
          <Link to="/traces" search={{ q: `evaluator:${slug} sampled:false` }} className={linkClass}>
            Traces not sampled
          </Link>
        </div>
      </div>
      <p className="prose-width text-sm text-ink-2">
        Sampling depends only on the trace id, so every node decides the same way. The bar shows the 99.9%
        confidence interval; the mark is the configured rate.
      </p>
      <ul aria-label="Rate set by" className="flex flex-col border-t border-line">
        {groups.map((group) => (
          <GroupRow key={JSON.stringify([group.sampledBy, group.rate])} group={group} slug={slug} />
        ))}
      </ul>
    </div>
  )
}

const Figure = ({ label, children }: { readonly label: string; readonly children: React.ReactNode }) => (
  <div>
    <dt className="text-xs text-ink-3">{label}</dt>
    <dd className="text-title font-semibold [&_.numbers]:font-sans [&_.numbers]:text-title">{children}</dd>
  </div>
)

function GroupRow({ group, slug }: { readonly group: SamplingGroup; readonly slug: string }) {
  const { sampledBy, rate, eligible, drawn: sampledCount, share, low, high, isAsExpected } = group
  const description = `${formatPercent(share)}, between ${formatPercent(low)} and ${formatPercent(high)}${rate === null ? '' : `; ${formatPercent(rate)} expected`}`
  return (
    <li className="grid grid-cols-[minmax(0,2fr)_96px_minmax(120px,2fr)_128px_112px] items-center gap-x-4 gap-y-1 border-b border-line py-2 text-sm max-md:grid-cols-2">
      <span className="min-w-0 truncate" title={deciderLabel(sampledBy, slug)}>
        {deciderLabel(sampledBy, slug)}
      </span>
      <span className="numbers text-right max-md:text-left">
        {rate === null ? nothing : formatPercent(rate)} <span className="text-xs text-ink-3">expected</span>
      </span>
      <ShareBar share={share} low={low} high={high} rate={rate} description={description} />
      <span className="numbers text-right max-md:text-left" title={description}>
        <Count value={sampledCount} /> of <Count value={eligible} />
      </span>
      <span className="text-right max-md:text-left">
        {isAsExpected === null ? (
          <Badge title="Sampled outside Plumbline">external</Badge>
        ) : isAsExpected ? (
          <Badge tone="good" title={description}>
            as expected
          </Badge>
        ) : (
          <Badge tone="bad" title={description}>
            not as expected
          </Badge>
        )}
      </span>
    </li>
  )
}

interface ShareBarProps extends Pick<SamplingGroup, 'share' | 'low' | 'high' | 'rate'> {
  readonly description: string
}

/** A share from 0 to 1 with its interval, and the expected rate. */
function ShareBar({ share, low, high, rate, description }: ShareBarProps) {
  const percent = (value: number): string => `${value * 100}%`
  return (
    <div role="img" aria-label={description} title={description} className="relative h-4 min-w-0">
      <span className="absolute inset-x-0 top-1/2 h-1 -translate-y-1/2 rounded-sm bg-hover" />
      <span
        className="absolute top-1/2 h-1 -translate-y-1/2 rounded-sm bg-accent opacity-50"
        style={{ left: percent(low), width: `max(2px, ${percent(high - low)})` }}
      />
      <span
        className="absolute top-1/2 size-2 -translate-1/2 rounded-full bg-accent"
        style={{ left: percent(share) }}
      />
      {rate !== null && (
        <span className="absolute top-0 h-4 w-0.5 -translate-x-1/2 bg-ink" style={{ left: percent(rate) }} />
      )}
    </div>
  )
}
