/** How soon a trace, and what judges it, is looked at again. Pure. */
import type { Evaluation, StoredTrace, TraceOutline } from '@plumbline/sdk'

const soonMs = 2000
/** For a trace that takes a while to read. */
const laterMs = 10_000
const logsMany = 500

/** What has not ended so long after something came of it was cut off, or never says when it ends. */
const openEndedMs = 10 * 60_000
/** So long after the last span, the service takes a trace of OpenTelemetry for settled. */
const quietMs = 90_000

type Times = Pick<StoredTrace, 'endTime' | 'startTime' | 'receivedAt'>

/** Whether more of a trace may come: it came lately, or has no end yet. */
export function isGoingOn({ endTime, startTime, receivedAt }: Times, now: Date): boolean {
  const restedMs = now.getTime() - Math.max(Date.parse(receivedAt), Date.parse(startTime))
  return restedMs < (endTime === null ? openEndedMs : quietMs)
}

/** How soon a trace is read again; undefined once it stays as it is. */
export function traceRefreshMs(
  trace: (Times & Pick<TraceOutline, 'logCount'>) | undefined,
  now: Date,
): number | undefined {
  if (trace === undefined || !isGoingOn(trace, now)) return undefined
  return trace.logCount > logsMany ? laterMs : soonMs
}

export const isUnderWay = ({ status }: Pick<Evaluation, 'status'>): boolean =>
  status === 'waiting' || status === 'running'

/** While something of a trace waits or is being judged, every two seconds. */
export const evaluationsRefreshMs = (
  evaluations: readonly Pick<Evaluation, 'status'>[] | undefined,
): number | undefined => (evaluations?.some(isUnderWay) ? soonMs : undefined)
