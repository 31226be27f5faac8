import { invalid, type operations, ServiceError, type Timestamp } from '@plumbline/contract'
import { newId } from '../id.ts'
import { makeScoreRow } from '../monitor/make-rows.ts'
import type { AcceptedScore } from '../monitor/record.ts'
import { readTimestamp } from '../monitor/timestamp.ts'
import { findTrace } from '../traces/find.ts'
import { toScore } from '../traces/view.ts'
import type { Verb } from '../verb.ts'

/** Records a score of a trace that exists. It takes the way of a trace: durable when answered, readable at once. */
export const create: Verb<typeof operations.scores.create> = async (input, { workspace, caller, now }) => {
  const traceId = input.traceId.toLowerCase()
  const logId = input.logId ?? undefined
  const found = await findTrace(traceId, workspace)
  if (found === undefined) throw new ServiceError('trace_not_found', { id: input.traceId })
  if (logId !== undefined && !found.logs.some((log) => log.logId === logId)) {
    throw new ServiceError('log_not_found', { traceId, logId })
  }
  const createdAtMs = readCreation(input.createdAt)
  const accepted: AcceptedScore = {
    type: 'score',
    workspaceId: workspace.id,
    apiKeyId: caller.id,
    receivedAtMs: now.getTime(),
    scoreId: newId(now),
  }
  const body = Buffer.from(
    JSON.stringify({
      traceId,
      logId,
      name: input.name,
      value: input.value,
      comment: input.comment ?? undefined,
      createdAtMs,
    }),
  )
  await workspace.recorder.append(accepted, body)
  return { score: toScore(makeScoreRow(accepted, body)) }
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
