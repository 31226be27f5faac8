import { type operations, ServiceError } from '@plumbline/contract'
import type { AnnotationItem, AnnotationQueue } from '@plumbline/storage/control'
import { latestRevisions, type ScoreRow } from '@plumbline/storage/traces'
import { mapStorageErrors } from '../../requests/map-storage-errors.ts'
import type { Context, Verb } from '../../requests/verb.ts'
import { toScore } from '../../traces/view.ts'
import { toAssignment } from './assignment.ts'
import { findQueue, progressOf, viewItem } from './view.ts'

/**
 * Undoes the caller's last submission or skip. The item is assigned again before its scores are deleted: after a crash in
 * between, the next submission replaces them.
 */
export const undo: Verb<typeof operations.annotationQueues.undo> = async ({ id, itemId }, context) => {
  const { workspace, caller } = context
  const queue = await findQueue(id, workspace)
  const item = await mapStorageErrors(
    workspace.annotationAssignments.undo(toAssignment(id, context), itemId ?? null),
  )
  if (item === 'nothing') throw new ServiceError('nothing_to_undo', undefined)
  if (item === 'taken') throw new ServiceError('annotation_item_taken', undefined)
  const scores = await ownScores(item, queue, context)
  for (const { scoreId } of scores) await workspace.traces.deleteScore(scoreId)
  return {
    item: await viewItem(item, queue, context),
    scores: scores.map((score) => toScore(score, caller.id)),
    progress: await progressOf(queue, context),
  }
}

/** The caller's latest scores of an item, by evaluator. Waits for scores that are not yet in the trace store. */
async function ownScores(
  { traceId, logId }: AnnotationItem,
  { evaluatorSlugs }: AnnotationQueue,
  { workspace, caller }: Pick<Context, 'workspace' | 'caller'>,
): Promise<ScoreRow[]> {
  if ((await workspace.recorder.pendingScores(traceId)).length > 0) await workspace.settle()
  const all = await workspace.traces.humanScoresOf([traceId], evaluatorSlugs)
  const own = all.filter((score) => score.apiKeyId === caller.id && (score.logId ?? undefined) === logId)
  const byEvaluator = Map.groupBy(latestRevisions(own), ({ evaluatorSlug }) => evaluatorSlug)
  return [...byEvaluator.values()].map((scores) =>
    scores.reduce((last, score) => (score.revision > last.revision ? score : last)),
  )
}
