/** How many traces the service has received since the list was loaded. */
import type { TraceSummary } from '@plumbline/sdk'
import { useRead } from '../../app/api.ts'
import { newTraces } from './new-traces.ts'
import type { TraceQuery } from './use-trace-query.ts'

const countMax = 100
const quietMs = 5000
const liveMs = 2000

export interface NewTraces {
  readonly count: number
  /** There are more than were counted. */
  readonly isMore: boolean
}

interface ListState {
  readonly isLive: boolean
  /** Whether the list is loaded. */
  readonly isReady: boolean
  /** Whether it has all traces that match, and not only the first of them. */
  readonly hasAll: boolean
}

/** Polls in the background. */
export function useNewTraces(
  { filter, scope, isOpenEnded }: TraceQuery,
  items: readonly TraceSummary[],
  { isLive, isReady, hasAll }: ListState,
): NewTraces {
  const order = { sort: 'received', limit: countMax } as const
  // By the clock of the service. The rows of the list do not tell: it may show the latest starts, while a backfill or an
  // import has received older ones since.
  const atLoad = useRead(
    'traces.list',
    { ...filter, ...scope, ...order },
    { enabled: isOpenEnded, isHeld: true },
  )
  const listed = atLoad.isPlaceholderData ? undefined : atLoad.data?.traces
  // Where nothing was there, all that comes is new.
  const receivedFrom = listed?.[0]?.receivedAt ?? new Date(0).toISOString()
  const latest = useRead(
    'traces.list',
    { ...filter, ...scope, ...order, receivedFrom },
    { enabled: isOpenEnded && isReady && listed !== undefined, refreshMs: isLive ? liveMs : quietMs },
  )
  const latestTraces = latest.isPlaceholderData ? [] : (latest.data?.traces ?? [])
  // What was received between the two requests is in the second alone. A list that has all tells it from what it leaves out.
  const before = listed ?? []
  const count = hasAll
    ? newTraces([...latestTraces, ...before], items, '')
    : newTraces(latestTraces, [...items, ...before], receivedFrom)
  return { count: isReady ? count : 0, isMore: latest.data?.nextCursor !== undefined && count > 0 }
}
