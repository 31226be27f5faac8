import { type InputOf, invalid, type operations, ServiceError, type Verdict } from '@plumbline/contract'
import type { Evaluator } from '@plumbline/storage/control'
import { problemOf, readHumanJudge } from '../evaluators/human-judge.ts'
import { mapStorageErrors } from '../map-storage-errors.ts'
import { giveScore } from '../scores/give.ts'
import { toScore } from '../traces/view.ts'
import type { Verb } from '../verb.ts'
import { turnOf } from './turn.ts'
import { findQueue, progressOf, viewItem } from './view.ts'

type Sent = InputOf<typeof operations.annotationQueues.submit>['scores']

/**
 * Judges an item. The scores are durable before the item counts as judged: after a crash between the two somebody gets
 * it again, and what is given then takes their place.
 */
export const submit: Verb<typeof operations.annotationQueues.submit> = async (
  { id, itemId, scores: sent, comment },
  context,
) => {
  const { workspace, caller } = context
  const queue = await findQueue(id, workspace)
  const evaluators = await judgesOf(queue.evaluatorSlugs, workspace.evaluators.findMany)
  const judgements = matched(sent, evaluators)
  const turn = turnOf(id, context)
  const item = await mapStorageErrors(workspace.annotationTurns.hold(turn, itemId))
  if (item === undefined) throw new ServiceError('annotation_item_taken', undefined)
  const given = []
  for (const { evaluator, value, comment: own } of judgements)
    given.push(
      await giveScore(
        {
          traceId: item.traceId,
          logId: item.logId,
          name: evaluator.slug,
          value,
          comment: own ?? comment ?? undefined,
          evaluator,
        },
        context,
      ),
    )
  await mapStorageErrors(workspace.annotationTurns.judge(turn, itemId))
  return {
    item: await viewItem(item, queue, context),
    scores: given.map((score) => toScore(score, caller.id)),
    progress: await progressOf(queue, context),
  }
}

interface HumanEvaluator {
  readonly slug: string
  readonly version: number
  readonly verdict: Verdict
}

/** The evaluators of a queue that are there still, in its order. */
async function judgesOf(
  slugs: readonly string[],
  findMany: (slugs: readonly string[]) => Promise<Evaluator[]>,
): Promise<HumanEvaluator[]> {
  const found = new Map((await findMany(slugs)).map((evaluator) => [evaluator.slug, evaluator]))
  return slugs.flatMap((slug) => {
    const evaluator = found.get(slug)
    if (evaluator?.kind !== 'human') return []
    return { slug, version: evaluator.version, verdict: readHumanJudge(JSON.parse(evaluator.config)).verdict }
  })
}

/** One judgement for each evaluator, each a verdict by it. */
function matched(sent: Sent, evaluators: readonly HumanEvaluator[]) {
  const bySlug = new Map(evaluators.map((evaluator) => [evaluator.slug, evaluator]))
  const judgements = sent.map(({ evaluatorSlug, value, comment }, at) => {
    const evaluator = bySlug.get(evaluatorSlug)
    if (evaluator === undefined)
      throw invalid(
        `scores[${at}].evaluatorSlug`,
        `must be one of ${[...bySlug.keys()].join(', ')}, each once`,
      )
    bySlug.delete(evaluatorSlug)
    const problem = problemOf(value, evaluator.verdict)
    if (problem !== undefined) throw invalid(`scores[${at}].value`, problem)
    return { evaluator, value, comment }
  })
  const [missing] = bySlug.keys()
  if (missing !== undefined) throw invalid('scores', `must have one by "${missing}"`)
  return judgements
}
