import { type operations, ServiceError } from '@plumbline/contract'
import { newId } from '../id.ts'
import { makeScoreRow } from '../monitor/make-rows.ts'
import type { AcceptedScore } from '../monitor/record.ts'
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
    }),
  )
  await workspace.recorder.append(accepted, body)
  return { score: toScore(makeScoreRow(accepted, body)) }
}
