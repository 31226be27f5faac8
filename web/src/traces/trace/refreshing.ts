/** The refresh intervals of a trace and its evaluations. Pure. */
import type { Evaluation, StoredTrace, TraceOutline } from '@plumbline/sdk'

const soonMs = 2000
/** The interval for a trace that takes long to read. */
const laterMs = 10_000
const logsMany = 500

/** A trace without an end this long after its last data was interrupted, or never reports an end. */
const openEndedMs = 10 * 60_000
/** The time after the last span after which the service considers an OpenTelemetry trace settled. */
const quietMs = 90_000

type Times = Pick<StoredTrace, 'endTime' | 'startTime' | 'receivedAt'>

/** Whether a trace may still grow: it arrived recently, or has no end yet. */
export function isGoingOn({ endTime, startTime, receivedAt }: Times, now: Date): boolean {
  const restedMs = now.getTime() - Math.max(Date.parse(receivedAt), Date.parse(startTime))
  return restedMs < (endTime === null ? openEndedMs : quietMs)
}

/** The interval until a trace is read again; undefined once it is final. */
export function traceRefreshMs(
  trace: (Times & Pick<TraceOutline, 'logCount'>) | undefined,
  now: Date,
): number | undefined {
  if (trace === undefined || !isGoingOn(trace, now)) return undefined
  return trace.logCount > logsMany ? laterMs : soonMs
}

export const isUnderWay = ({ status }: Pick<Evaluation, 'status'>): boolean =>
  status === 'waiting' || status === 'running'

/** Every two seconds while an evaluation of the trace is waiting or running. */
export const evaluationsRefreshMs = (
  evaluations: readonly Pick<Evaluation, 'status'>[] | undefined,
): number | undefined => (evaluations?.some(isUnderWay) ? soonMs : undefined)
