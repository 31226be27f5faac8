/** One trace, for readers with its share link and no account. */
import { RequestFailed, type StoredTrace } from '@plumbline/sdk'
import { useQuery } from '@tanstack/react-query'
import { CircleAlert } from 'lucide-react'
import { useEffect, useMemo, useState } from 'react'
import { get } from '../sign-in/auth.ts'
import { type ReadingMode, ReadingModeSwitch, useReadingMode } from '../traces/messages/reading-mode.tsx'
import { ValueView } from '../traces/messages/value-view.tsx'
import { ErrorSection } from '../traces/trace/log/error-section.tsx'
import { readTrace } from '../traces/trace/read-trace.ts'
import { Indent } from '../traces/trace/tree/indent.tsx'
import { LogIcon } from '../traces/trace/tree/log-icon.tsx'
import type { LogNode } from '../traces/trace/tree/trace-tree.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorState } from '../ui/error-state.tsx'
import { SkeletonRows } from '../ui/skeleton.tsx'
import { exactNumber } from '../ui/text/format.ts'
import { Duration, ExactTime, Money, TokenSum } from '../ui/text/values.tsx'
import { sharedTraceRoute } from './routes.ts'

interface SharedTrace {
  readonly trace: StoredTrace
  readonly expiresAt: string
}

export function SharedTraceScreen() {
  const { token } = sharedTraceRoute.useParams()
  const shared = useQuery({
    queryKey: ['shared', token],
    queryFn: () => get<SharedTrace>(`/shared/${encodeURIComponent(token)}`),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const name = shared.data?.trace.name ?? 'Shared trace'
  useEffect(() => {
    document.title = `${name} · Plumbline`
  }, [name])
  return (
    <main id="content" className="mx-auto flex min-h-full max-w-4xl flex-col gap-4 p-4">
      <header className="border-b border-line pb-3">
        <p className="text-xs text-ink-3">
          Shared trace, masked
          {shared.data && (
            <>
              ; the link expires at <ExactTime time={shared.data.expiresAt} />
            </>
          )}
        </p>
        <h1 dir="auto" className="text-title font-semibold break-words">
          {name}
        </h1>
      </header>
      {shared.data !== undefined ? (
        <TraceContent trace={shared.data.trace} />
      ) : shared.error instanceof RequestFailed && shared.error.status === 404 ? (
        <EmptyState title="This link does not work">{shared.error.message}</EmptyState>
      ) : shared.isError ? (
        <ErrorState error={shared.error} onRetry={() => void shared.refetch()} />
      ) : (
        <SkeletonRows />
      )}
    </main>
  )
}

/** The number of logs shown at first, and added by each press. */
const logsStep = 500

function TraceContent({ trace }: { readonly trace: StoredTrace }) {
  const [mode, setMode] = useReadingMode()
  const [drawnCount, setDrawnCount] = useState(logsStep)
  const { totals, input, output } = trace
  const { nodes, root } = useMemo(() => readTrace(trace), [trace])
  // The root span does not repeat the contents of the trace.
  const childNodes = nodes.filter((node) => node !== root)
  const waitingCount = childNodes.length - drawnCount
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-6 gap-y-2">
        <dl className="flex flex-1 flex-wrap gap-x-6 gap-y-1 text-sm">
          <Fact label="Started">
            <ExactTime time={trace.startTime} />
          </Fact>
          <Fact label="Duration">
            <Duration value={totals.durationMs} />
          </Fact>
          <Fact label="Cost">
            <Money value={totals.cost} isEstimate={totals.tokensEstimated} />
          </Fact>
          <Fact label="Tokens">
            <TokenSum value={totals.inputTokens + totals.outputTokens} isEstimate={totals.tokensEstimated} />
          </Fact>
          {totals.errors > 0 && (
            <Fact label="Failed">
              <Badge tone="bad">{totals.errors === 1 ? '1 log' : `${exactNumber(totals.errors)} logs`}</Badge>
            </Fact>
          )}
        </dl>
        <ReadingModeSwitch mode={mode} onChange={setMode} />
      </div>
      <ErrorSection error={trace.metadata?.error ?? root?.log.metadata?.error} />
      <Values value={trace} mode={mode} />
      {input === null && output === null && childNodes.length === 0 && (
        <p className="text-ink-2">This trace has no input, no output and no logs.</p>
      )}
      {childNodes.length > 0 && (
        <section aria-label="Logs" className="flex flex-col gap-2">
          <h2 className="text-lg font-semibold">Logs</h2>
          {childNodes.slice(0, drawnCount).map((node) => (
            <LogItem
              key={node.log.id}
              node={node}
              level={node.depth + (root === undefined ? 2 : 1)}
              mode={mode}
            />
          ))}
          {waitingCount > 0 && (
            <Button onClick={() => setDrawnCount(drawnCount + logsStep)}>
              Show {Math.min(logsStep, waitingCount)} more of {exactNumber(childNodes.length)} logs
            </Button>
          )}
        </section>
      )}
    </>
  )
}

const Fact = ({ label, children }: { readonly label: string; readonly children: React.ReactNode }) => (
  <div className="flex items-center gap-2">
    <dt className="text-xs text-ink-3">{label}</dt>
    <dd>{children}</dd>
  </div>
)

interface ValuesProps {
  readonly value: { readonly input?: unknown; readonly output?: unknown }
  readonly mode: ReadingMode
}

function Values({ value: { input, output }, mode }: ValuesProps) {
  return (
    <>
      {(['input', 'output'] as const).map((side) => {
        const value = side === 'input' ? input : output
        if (value === null || value === undefined) return null
        const label = side === 'input' ? 'Input' : 'Output'
        return (
          <section key={side} aria-label={label} className="min-w-0 rounded border border-line p-3">
            <h3 className="mb-2 text-sm font-medium text-ink-2">{label}</h3>
            <ValueView value={value} side={side} mode={mode} label={label} />
          </section>
        )
      })}
    </>
  )
}

interface LogItemProps {
  readonly node: LogNode
  readonly level: number
  readonly mode: ReadingMode
}

function LogItem({ node: { log, startMs, endMs, isFailed }, level, mode }: LogItemProps) {
  // Only a few of many logs are opened, and their contents can be large.
  const [isOpened, setOpened] = useState(false)
  const durationMs = startMs === undefined || endMs === undefined ? null : endMs - startMs
  return (
    <details
      onToggle={({ currentTarget: { open } }) => open && setOpened(true)}
      className="rounded border border-line"
    >
      <summary className="flex h-9 cursor-pointer items-center gap-2 px-2 text-sm [--indent:8px] sm:[--indent:16px]">
        <Indent level={level} />
        <LogIcon type={log.type} />
        <bdi className="min-w-0 flex-1 truncate font-medium">{log.name ?? log.type}</bdi>
        {isFailed && (
          <>
            <CircleAlert aria-hidden size={14} className="shrink-0 text-bad" />
            <span className="sr-only">Failed</span>
          </>
        )}
        <span className="sr-only">Level {level}</span>
        <Duration value={durationMs} />
      </summary>
      {isOpened && (
        <div className="flex flex-col gap-2 p-2 pt-0">
          <ErrorSection error={log.metadata?.error} />
          <Values value={log} mode={mode} />
        </div>
      )}
    </details>
  )
}
