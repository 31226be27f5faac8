import { type InputOf, invalid, type operations, ServiceError, type Verdict } from '@plumbline/contract'
import type { Evaluator } from '@plumbline/storage/control'
import { mapStorageErrors } from '../../requests/map-storage-errors.ts'
import type { Verb } from '../../requests/verb.ts'
import { toScore } from '../../traces/view.ts'
import { problemOf, readHumanJudge } from '../evaluators/human-judge.ts'
import { giveScore } from '../scores/give.ts'
import { toAssignment } from './assignment.ts'
import { findQueue, progressOf, viewItem } from './view.ts'

type InputScores = InputOf<typeof operations.annotationQueues.submit>['scores']

/**
 * Judges an item. The scores are durable before the item counts as judged: after a crash in between the item is assigned
 * again, and the new scores replace the old.
 */
export const submit: Verb<typeof operations.annotationQueues.submit> = async (
  { id, itemId, scores: inputScores, comment },
  context,
) => {
  const { workspace, caller } = context
  const queue = await findQueue(id, workspace)
  const evaluators = await findHumanEvaluators(queue.evaluatorSlugs, workspace.evaluators.findMany)
  const matches = matchScores(inputScores, evaluators)
  const assignment = toAssignment(id, context)
  const item = await mapStorageErrors(workspace.annotationAssignments.assign(assignment, itemId))
  if (item === undefined) throw new ServiceError('annotation_item_taken', undefined)
  const scores = []
  for (const { evaluator, value, comment: itemComment } of matches)
    scores.push(
      await giveScore(
        {
          traceId: item.traceId,
          logId: item.logId,
          name: evaluator.slug,
          value,
          comment: itemComment ?? comment ?? undefined,
          evaluator,
        },
        context,
      ),
    )
  await mapStorageErrors(workspace.annotationAssignments.judge(assignment, itemId))
  return {
    item: await viewItem(item, queue, context),
    scores: scores.map((score) => toScore(score, caller.id)),
    progress: await progressOf(queue, context),
  }
}

interface HumanEvaluator {
  readonly slug: string
  readonly version: number
  readonly verdict: Verdict
}

/** The queue's evaluators that still exist, in its order. */
async function findHumanEvaluators(
  slugs: readonly string[],
  findMany: (slugs: readonly string[]) => Promise<Evaluator[]>,
): Promise<HumanEvaluator[]> {
  const evaluatorsBySlug = new Map((await findMany(slugs)).map((evaluator) => [evaluator.slug, evaluator]))
  return slugs.flatMap((slug) => {
    const evaluator = evaluatorsBySlug.get(slug)
    if (evaluator?.kind !== 'human') return []
    return { slug, version: evaluator.version, verdict: readHumanJudge(JSON.parse(evaluator.config)).verdict }
  })
}

/** Matches scores with evaluators: exactly one valid score for each. */
function matchScores(inputScores: InputScores, evaluators: readonly HumanEvaluator[]) {
  const bySlug = new Map(evaluators.map((evaluator) => [evaluator.slug, evaluator]))
  const matches = inputScores.map(({ evaluatorSlug, value, comment }, index) => {
    const evaluator = bySlug.get(evaluatorSlug)
    if (evaluator === undefined)
      throw invalid(
        `scores[${index}].evaluatorSlug`,
        `must be one of ${[...bySlug.keys()].join(', ')}, each once`,
      )
    bySlug.delete(evaluatorSlug)
    const problem = problemOf(value, evaluator.verdict)
    if (problem !== undefined) throw invalid(`scores[${index}].value`, problem)
    return { evaluator, value, comment }
  })
  const [missing] = bySlug.keys()
  if (missing !== undefined) throw invalid('scores', `must have a score for "${missing}"`)
  return matches
}
