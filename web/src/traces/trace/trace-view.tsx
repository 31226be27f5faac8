/** A whole trace: tree, waterfall and the detail of one log; on a screen of its own, or `compact` in a panel of a list. */
import { lazy, Suspense, useDeferredValue } from 'react'
import { ErrorState } from '../../ui/error-state.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { SplitPane } from '../../ui/split-pane.tsx'
import { TraceFacts } from './trace-facts.tsx'
import { useAhead } from './tree/use-ahead.ts'
import { Waterfall } from './tree/waterfall.tsx'
import { useTrace } from './use-trace.ts'

// Chats, Markdown and diffs are large chunks: the tree appears before them.
const LogDetail = lazy(async () => ({ default: (await import('./log/log-detail.tsx')).LogDetail }))
const OutlinedLogDetail = lazy(async () => ({
  default: (await import('./log/outlined-log-detail.tsx')).OutlinedLogDetail,
}))

interface TraceViewProps {
  readonly traceId: string
  /** The id of the open log; the trace itself if absent. Kept in the URL. */
  readonly logId?: string | undefined
  readonly onLog: (logId: string | undefined) => void
  /** The search in the tree; local state of the view if absent. */
  readonly search?: string | undefined
  readonly onSearch?: (text: string) => void
  /** For a panel: the detail is below the tree, and shortcuts stay with the list. */
  readonly compact?: boolean
}

/** The pause before the URL follows the selection. */
const pauseMs = 150
const ignore = (): void => undefined

export function TraceView({ traceId, logId, onLog, search, onSearch, compact = false }: TraceViewProps) {
  const { read, isDeleted, linkedTraces, error, retry } = useTrace(traceId)
  const [activeId, setActiveId] = useAhead(logId, onLog, pauseMs)
  const [searched, setSearched] = useAhead(search ?? '', onSearch ?? ignore, pauseMs)
  // The tree responds to keys at once; a long detail may follow a moment later.
  const detailed = useDeferredValue(activeId)
  if (error !== null) return <ErrorState error={error} onRetry={retry} />
  // While the next trace loads, the response and its logs still belong to the previous one.
  if (read === undefined) return <SkeletonRows />
  const tree = (
    <Waterfall
      key={read.trace.id}
      read={read}
      activeId={activeId}
      onActivate={setActiveId}
      search={searched}
      onSearch={setSearched}
      isCompact={compact}
    />
  )
  const key = `${read.trace.id} ${detailed ?? ''}`
  const node = detailed === undefined ? undefined : read.byId.get(detailed)
  // The log in the URL may be on a page that is not loaded yet.
  const isComing = detailed !== undefined && node === undefined && read.outline?.isComplete === false
  const detail = (
    <Suspense fallback={<SkeletonRows />}>
      {isComing ? (
        <SkeletonRows />
      ) : read.outline !== undefined && node !== undefined ? (
        <OutlinedLogDetail key={key} read={read} node={node} onLog={setActiveId} />
      ) : (
        <LogDetail key={key} read={read} node={node} onLog={setActiveId} />
      )}
    </Suspense>
  )
  return (
    <div className="flex min-h-0 min-w-0 flex-1 flex-col">
      {isDeleted && (
        <p role="alert" className="border-b border-line bg-warn-surface px-4 py-2 text-sm text-warn">
          This trace has been deleted. This is its last state.
        </p>
      )}
      <TraceFacts trace={read.trace} linkedTraces={linkedTraces} />
      {compact ? (
        <>
          <div className="flex max-h-[42%] min-h-40 shrink-0 flex-col border-b border-line">{tree}</div>
          {detail}
        </>
      ) : (
        <SplitPane
          name="trace"
          label="Tree width"
          initialPx={640}
          minPx={320}
          shareMax={56}
          first={tree}
          second={detail}
        />
      )}
    </div>
  )
}
