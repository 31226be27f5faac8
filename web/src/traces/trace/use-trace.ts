import { RequestFailed } from '@plumbline/sdk'
import { useDeferredValue, useEffect, useMemo, useRef } from 'react'
import { type Output, usePages, useRead } from '../../app/api.ts'
import { fromOutline } from './outlined-log.ts'
import { type ReadTrace, readTrace } from './read-trace.ts'
import { traceRefreshMs } from './refreshing.ts'

/** The maximum page size of the service. */
const pageLogs = 1000

export interface TraceReading {
  /** Undefined until the trace is loaded; for a trace with many logs, with the logs loaded so far. */
  readonly read: ReadTrace | undefined
  /** Whether it was deleted after it was loaded: the loaded data stays. */
  readonly isDeleted: boolean
  readonly linkedTraces: Output<'traces.outline'>['linkedTraces']
  readonly error: Error | null
  readonly retry: () => void
}

/** A trace for its screen. Many logs are loaded in pages, without inputs and outputs. */
export function useTrace(traceId: string): TraceReading {
  const head = useRead(
    'traces.outline',
    { id: traceId },
    { refreshMs: (last) => traceRefreshMs(last?.trace, new Date()) },
  )
  // While the next trace loads, the response and its logs still belong to the previous one.
  const trace = head.data?.trace
  const pages = useOutlinedLogs(trace)
  const outlined = useDeferredValue(pages.logs)
  const isComplete = pages.isComplete && outlined === pages.logs
  const root = useRootLog(trace, outlined)
  const read = useMemo(() => {
    if (trace === undefined) return undefined
    const { logs, logCount } = trace
    if (logs !== undefined) return readTrace({ ...trace, logs })
    const shownLogs = outlined.map((log) => (log.id === root?.id ? root : fromOutline(log)))
    return readTrace({ ...trace, logs: shownLogs }, { logCount, isComplete })
  }, [trace, outlined, isComplete, root])
  const failed = head.isError && trace === undefined ? head : pages.error !== null ? pages : undefined
  return {
    read,
    isDeleted: trace !== undefined && isNotFound(head.error),
    linkedTraces: head.data?.linkedTraces ?? [],
    error: failed?.error ?? null,
    retry: () => void failed?.refetch(),
  }
}

export const isNotFound = (error: Error | null): boolean =>
  error instanceof RequestFailed && error.status === 404

/** The log that may be the root span of a trace with many logs: only a full log reveals whether it is a span. */
function useRootLog(
  trace: Output<'traces.outline'>['trace'] | undefined,
  logs: readonly Output<'logs.list'>['logs'][number][],
) {
  const candidate = logs.find(({ name, parentId }) => parentId === null && name === trace?.name)
  const input = { id: trace?.id ?? '', logId: candidate?.id ?? '' }
  const { data, isPlaceholderData } = useRead('logs.get', input, { enabled: candidate !== undefined })
  return candidate === undefined || isPlaceholderData ? undefined : data?.log
}

/** The logs of a trace whose outline omits them, page by page. */
function useOutlinedLogs(trace: Output<'traces.outline'>['trace'] | undefined) {
  const isEnabled = trace !== undefined && trace.logs === undefined
  const pages = useAllPages({ id: trace?.id ?? '', limit: pageLogs }, isEnabled)
  const { logs, isComplete, refetch } = pages
  // A running trace is reloaded only when it has changed, not on each poll.
  const state = isEnabled ? `${trace.id} ${trace.logCount} ${trace.endTime}` : undefined
  const readState = useRef<string>(undefined)
  const logCount = trace?.logCount
  useEffect(() => {
    if (state === undefined || !isComplete || state === readState.current) return
    const isFirst = readState.current?.split(' ')[0] !== state.split(' ')[0]
    readState.current = state
    // Pages from an earlier visit may be outdated.
    if (!isFirst || logs.length !== logCount) void refetch()
  }, [state, isComplete, logs, logCount, refetch])
  return pages
}

const none: readonly never[] = []

/** All pages of a log request, one after the other. */
export function useAllPages(input: Parameters<typeof usePages<'logs.list', 'logs'>>[1], isEnabled: boolean) {
  const { items, more, isPlaceholderData, isPending, hasNextPage, error, refetch } = usePages(
    'logs.list',
    input,
    'logs',
    { enabled: isEnabled, isHeld: true },
  )
  const isOwn = isEnabled && !isPlaceholderData
  useEffect(() => {
    if (isOwn && error === null) more.load()
  })
  return {
    logs: isOwn ? items : none,
    isComplete: isOwn && !isPending && !hasNextPage,
    error: isEnabled ? error : null,
    refetch,
  }
}
