/** Waits for a trace, and shows it when it arrives. */
import type { TraceSummary } from '@plumbline/sdk'
import { Link } from '@tanstack/react-router'
import { CircleCheck, Radio } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useRead } from '../app/api.ts'
import { buttonClass } from '../ui/button.tsx'
import { ErrorState } from '../ui/error-state.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { Count, Duration, Money, RelativeTime, TokenSum } from '../ui/text/values.tsx'
import { NextSteps } from './next-steps.tsx'

/** Poll interval. */
const refreshMs = 1500

export function ArrivalStep() {
  const latest = useRead('traces.list', { sort: 'received', limit: 1 }, { refreshMs })
  const [trace] = latest.data?.traces ?? []
  // Traces that exist when the screen opens do not count; the clocks of browser and service may differ.
  const [knownId, setKnownId] = useState<string | null>()
  useEffect(() => {
    if (latest.isFetchedAfterMount && latest.data !== undefined && knownId === undefined)
      setKnownId(latest.data.traces[0]?.id ?? null)
  }, [latest.isFetchedAfterMount, latest.data, knownId])
  const hasArrived = trace !== undefined && knownId !== undefined && trace.id !== knownId

  if (latest.isError && latest.data === undefined)
    return <ErrorState error={latest.error} onRetry={() => void latest.refetch()} />
  if (knownId === undefined) return <Skeleton className="h-24 w-full" />
  return (
    <div role="status" className="flex flex-col gap-3">
      {hasArrived ? <Arrived trace={trace} isFirst={knownId === null} /> : <Waiting latest={trace} />}
      {trace !== undefined && <NextSteps />}
    </div>
  )
}

function Waiting({ latest }: { readonly latest: TraceSummary | undefined }) {
  return (
    <div className="flex items-start gap-3 rounded border border-dashed border-line-strong p-4">
      <Radio
        aria-hidden
        size={16}
        className="mt-0.5 shrink-0 animate-pulse text-info motion-reduce:animate-none"
      />
      <div className="min-w-0 text-sm">
        <p className="font-medium">
          {latest === undefined ? 'Waiting for your first trace' : 'Waiting for the next trace'}
        </p>
        <p className="text-ink-2">It appears here as soon as you send it.</p>
        {latest !== undefined && (
          <p className="mt-2 flex flex-wrap gap-x-2 text-ink-2">
            Latest so far:
            <Link
              to="/traces/$id"
              params={{ id: latest.id }}
              className="max-w-full truncate text-accent-ink underline"
            >
              {latest.name}
            </Link>
            <RelativeTime time={latest.receivedAt} />
          </p>
        )}
      </div>
    </div>
  )
}

function Arrived({ trace, isFirst }: { readonly trace: TraceSummary; readonly isFirst: boolean }) {
  const { totals } = trace
  return (
    <div className="flex flex-col gap-4 rounded border border-good bg-good-surface p-4 text-sm">
      <div className="flex items-start gap-3">
        <CircleCheck aria-hidden size={16} className="mt-0.5 shrink-0 text-good" />
        <div className="min-w-0 flex-1">
          <p className="font-medium">{isFirst ? 'Your first trace is here' : 'Your trace is here'}</p>
          <p className="truncate text-ink-2" title={trace.name}>
            {trace.name}, <RelativeTime time={trace.receivedAt} />
          </p>
        </div>
      </div>
      <dl className="grid grid-cols-4 gap-3 max-sm:grid-cols-2">
        <Figure label="Logs">
          <Count value={trace.logCount} />
        </Figure>
        <Figure label="Duration">
          <Duration value={totals.durationMs} />
        </Figure>
        <Figure label="Tokens">
          <TokenSum value={totals.inputTokens + totals.outputTokens} isEstimate={totals.tokensEstimated} />
        </Figure>
        <Figure label="Cost">
          <Money value={totals.cost} isEstimate={totals.tokensEstimated} />
        </Figure>
      </dl>
      <div className="flex flex-wrap gap-2">
        <Link to="/traces/$id" params={{ id: trace.id }} className={buttonClass('primary')}>
          Open the trace
        </Link>
        <Link to="/traces" className={buttonClass()}>
          All traces
        </Link>
      </div>
    </div>
  )
}

function Figure({ label, children }: { readonly label: string; readonly children: React.ReactNode }) {
  return (
    <div>
      <dt className="text-xs text-ink-2">{label}</dt>
      <dd>{children}</dd>
    </div>
  )
}
