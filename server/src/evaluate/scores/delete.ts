import type { operations } from '@plumbline/contract'
import type { ScoreRow } from '@plumbline/storage/traces'
import type { Verb } from '../../requests/verb.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { findOwn } from './find-own.ts'

const deleteScore: Verb<typeof operations.scores.delete> = async ({ id }, context) => {
  const { workspace } = context
  const score = await findOwn(id, context)
  if (score.source === 'otlp' && !(await markDeleted(score, workspace))) {
    // A score can be in the trace store a moment before its trace is, and before the control plane knows about it.
    await workspace.settle()
    await markDeleted(score, workspace)
  }
  await workspace.traces.deleteScore(score.scoreId)
  return undefined
}

/** Prevents a span's score from being stored again when more spans of its trace arrive; false if none are expected. */
async function markDeleted(
  { traceId, scoreId }: Pick<ScoreRow, 'traceId' | 'scoreId'>,
  { traces, traceReferences }: Workspace,
): Promise<boolean> {
  const otelTraceId = (await traces.otelIdsOf([traceId])).get(traceId)
  return otelTraceId !== undefined && traceReferences.markScoreDeleted({ otelTraceId, scoreId })
}

export { deleteScore as delete }
