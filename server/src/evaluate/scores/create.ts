import { invalid, type operations, ServiceError, type Timestamp } from '@plumbline/contract'
import { readTimestamp } from '../../json/timestamp.ts'
import type { Verb } from '../../requests/verb.ts'
import { findTrace } from '../../traces/find.ts'
import { toScore } from '../../traces/view.ts'
import { giveScore } from './give.ts'

/** Records a score of a trace, which must exist. */
export const create: Verb<typeof operations.scores.create> = async (input, context) => {
  const traceId = input.traceId.toLowerCase()
  const logId = input.logId ?? undefined
  const trace = await findTrace(traceId, context.workspace)
  if (trace === undefined) throw new ServiceError('trace_not_found', { id: input.traceId })
  if (logId !== undefined && !trace.logs.some((log) => log.logId === logId)) {
    throw new ServiceError('log_not_found', { traceId, logId })
  }
  const { name, value } = input
  const score = await giveScore(
    {
      // The input may name the trace by its OpenTelemetry id.
      traceId: trace.trace.traceId,
      logId,
      name,
      value,
      comment: input.comment ?? undefined,
      createdAtMs: readCreation(input.createdAt),
      userId: input.userId ?? undefined,
    },
    context,
  )
  return { score: toScore(score, context.caller.id) }
}

/** The limit of the trace store's timestamp type. */
const latestMs = Date.UTC(2262, 0)

function readCreation(value: Timestamp | null | undefined): number | undefined {
  if (value == null) return undefined
  const micros = readTimestamp(value)
  const ms = micros === undefined ? Number.NaN : Number(micros / 1000n)
  if (!(ms >= 0 && ms < latestMs))
    throw invalid('createdAt', 'must be an ISO 8601 date-time that exists, from 1970 on, or a Unix time')
  return ms
}
