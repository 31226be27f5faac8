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

/** Polls in the background. `isReady` says that the list is loaded. */
export function useNewTraces(
  { filter, scope, isOpenEnded, end }: TraceQuery,
  items: readonly TraceSummary[],
  { isLive, isReady }: { readonly isLive: boolean; readonly isReady: boolean },
): NewTraces {
  const order = { sort: 'received', limit: countMax } as const
  // By the clock of the service. The rows of the list do not tell: it may show the latest starts, while a backfill or an
  // import has received older ones since.
  const before = useRead(
    'traces.list',
    { ...filter, ...scope, ...order },
    { enabled: isOpenEnded, isHeld: true },
  )
  const listed = before.isPlaceholderData ? undefined : before.data?.traces
  const receivedFrom = listed?.[0]?.receivedAt ?? end.toISOString()
  const latest = useRead(
    'traces.list',
    { ...filter, ...scope, ...order, receivedFrom },
    { enabled: isOpenEnded && isReady && listed !== undefined, refreshMs: isLive ? liveMs : quietMs },
  )
  const latestTraces = latest.isPlaceholderData ? [] : (latest.data?.traces ?? [])
  const count = newTraces(latestTraces, [...items, ...(listed ?? [])], receivedFrom)
  return { count, isMore: latest.data?.nextCursor !== undefined && count > 0 }
}
