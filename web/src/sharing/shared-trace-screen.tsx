/** One trace, read by somebody who has its share link and no account. */
import { RequestFailed, type StoredTrace } from '@plumbline/sdk'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { get } from '../sign-in/auth.ts'
import { type ReadingMode, ReadingModeSwitch, useReadingMode } from '../traces/messages/reading-mode.tsx'
import { ValueView } from '../traces/messages/value-view.tsx'
import { readTrace } from '../traces/trace/read-trace.ts'
import { Indent } from '../traces/trace/tree/indent.tsx'
import { LogIcon } from '../traces/trace/tree/log-icon.tsx'
import type { LogNode } from '../traces/trace/tree/trace-tree.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorState } from '../ui/error-state.tsx'
import { SkeletonRows } from '../ui/skeleton.tsx'
import { Duration, ExactTime, Money, Tokens } from '../ui/text/values.tsx'
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

function TraceContent({ trace }: { readonly trace: StoredTrace }) {
  const [mode, setMode] = useReadingMode()
  const { totals } = trace
  const { nodes, root } = readTrace(trace)
  // What the trace says is not said again of its root span.
  const childNodes = nodes.filter((node) => node !== root)
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
            <Tokens value={totals.inputTokens + totals.outputTokens} isEstimate={totals.tokensEstimated} />
          </Fact>
        </dl>
        <ReadingModeSwitch mode={mode} onChange={setMode} />
      </div>
      <Values value={trace} mode={mode} />
      {childNodes.length > 0 && (
        <section aria-label="Logs" className="flex flex-col gap-2">
          <h2 className="text-lg font-semibold">Logs</h2>
          {childNodes.map((node) => (
            <LogItem
              key={node.log.id}
              node={node}
              level={node.depth + (root === undefined ? 2 : 1)}
              mode={mode}
            />
          ))}
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

function LogItem({ node: { log, startMs, endMs }, level, mode }: LogItemProps) {
  const durationMs = startMs === undefined || endMs === undefined ? null : endMs - startMs
  return (
    <details className="rounded border border-line">
      <summary className="flex h-9 cursor-pointer items-center gap-2 px-2 text-sm [--indent:8px] sm:[--indent:16px]">
        <Indent level={level} />
        <LogIcon type={log.type} />
        <bdi className="min-w-0 flex-1 truncate font-medium">{log.name ?? log.type}</bdi>
        <span className="sr-only">Level {level}</span>
        <Duration value={durationMs} />
      </summary>
      <div className="flex flex-col gap-2 p-2 pt-0">
        <Values value={log} mode={mode} />
      </div>
    </details>
  )
}
