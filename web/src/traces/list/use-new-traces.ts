/** How many traces came in since the list was asked for. */
import type { TraceSummary } from '@plumbline/sdk'
import { useRead } from '../../app/api.ts'
import type { TraceQuery } from './use-trace-query.ts'

const countMax = 100
const quietMs = 5000
const liveMs = 2000

export interface NewTraces {
  readonly count: number
  /** There are more than were counted. */
  readonly isMore: boolean
}

/** Asks in the background; what was taken in since the newest that is known, by the clock of the service. */
export function useNewTraces(
  { filter, scope, isOpenEnded, end }: TraceQuery,
  items: readonly TraceSummary[],
  { isLive, isReady }: { readonly isLive: boolean; readonly isReady: boolean },
): NewTraces {
  const newest = items.reduce((latest, { receivedAt }) => (receivedAt > latest ? receivedAt : latest), '')
  const receivedFrom = newest === '' ? end.toISOString() : newest
  const answer = useRead(
    'traces.list',
    { ...filter, ...scope, receivedFrom, sort: 'received', limit: countMax },
    { enabled: isOpenEnded && isReady, refreshMs: isLive ? liveMs : quietMs },
  )
  const known = new Set(items.map(({ id }) => id))
  const arrived = (answer.isPlaceholderData ? [] : (answer.data?.traces ?? [])).filter(
    ({ id, receivedAt }) => !known.has(id) && receivedAt >= receivedFrom,
  )
  return { count: arrived.length, isMore: answer.data?.nextCursor !== undefined && arrived.length > 0 }
}
