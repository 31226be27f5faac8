/** The number of traces received since the list was loaded. */
import type { TraceSummary } from '@plumbline/sdk'
import { useRead } from '../../app/api.ts'
import { newTraces } from './new-traces.ts'
import type { TraceQuery } from './use-trace-query.ts'

const countMax = 100
const quietMs = 5000
const liveMs = 2000

export interface NewTraces {
  readonly count: number
  /** Whether there are more than counted. */
  readonly isMore: boolean
}

interface ListState {
  readonly isLive: boolean
  /** Whether the list is loaded. */
  readonly isReady: boolean
  /** Whether it has all matching traces, not only the first ones. */
  readonly hasAll: boolean
}

/** Polls in the background. */
export function useNewTraces(
  { filter, scope, isOpenEnded }: TraceQuery,
  items: readonly TraceSummary[],
  { isLive, isReady, hasAll }: ListState,
): NewTraces {
  const order = { sort: 'received', limit: countMax } as const
  // By the service's clock. The rows cannot be used: they show the latest starts, while a backfill or an import may
  // have received older traces since.
  const atLoad = useRead(
    'traces.list',
    { ...filter, ...scope, ...order },
    { enabled: isOpenEnded, isHeld: true },
  )
  const listed = atLoad.isPlaceholderData ? undefined : atLoad.data?.traces
  // If the list was empty, every trace is new.
  const receivedFrom = listed?.[0]?.receivedAt ?? new Date(0).toISOString()
  const latest = useRead(
    'traces.list',
    { ...filter, ...scope, ...order, receivedFrom },
    { enabled: isOpenEnded && isReady && listed !== undefined, refreshMs: isLive ? liveMs : quietMs },
  )
  const latestTraces = latest.isPlaceholderData ? [] : (latest.data?.traces ?? [])
  // Traces received between the two requests are only in the second. A complete list can tell them from excluded ones.
  const before = listed ?? []
  const count = hasAll
    ? newTraces([...latestTraces, ...before], items, '')
    : newTraces(latestTraces, [...items, ...before], receivedFrom)
  return { count: isReady ? count : 0, isMore: latest.data?.nextCursor !== undefined && count > 0 }
}
