import { invalid, type operations, ServiceError, type Timestamp } from '@plumbline/contract'
import { readTimestamp } from '../monitor/timestamp.ts'
import { findTrace } from '../traces/find.ts'
import { toScore } from '../traces/view.ts'
import type { Verb } from '../verb.ts'
import { giveScore } from './give.ts'

/** Records a score of a trace that exists. */
export const create: Verb<typeof operations.scores.create> = async (input, context) => {
  const traceId = input.traceId.toLowerCase()
  const logId = input.logId ?? undefined
  const found = await findTrace(traceId, context.workspace)
  if (found === undefined) throw new ServiceError('trace_not_found', { id: input.traceId })
  if (logId !== undefined && !found.logs.some((log) => log.logId === logId)) {
    throw new ServiceError('log_not_found', { traceId, logId })
  }
  const { name, value } = input
  const given = await giveScore(
    {
      // OpenTelemetry has an id of its own for it.
      traceId: found.trace.traceId,
      logId,
      name,
      value,
      comment: input.comment ?? undefined,
      createdAtMs: readCreation(input.createdAt),
      userId: input.userId ?? undefined,
    },
    context,
  )
  return { score: toScore(given, context.caller.id) }
}

/** What the trace store's type of instants holds. */
const latestMs = Date.UTC(2262, 0)

function readCreation(value: Timestamp | null | undefined): number | undefined {
  if (value == null) return undefined
  const micros = readTimestamp(value)
  const ms = micros === undefined ? Number.NaN : Number(micros / 1000n)
  if (!(ms >= 0 && ms < latestMs))
    throw invalid('createdAt', 'must be an ISO 8601 date-time that exists, from 1970 on, or a Unix time')
  return ms
}
