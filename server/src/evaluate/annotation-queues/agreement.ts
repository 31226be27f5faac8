import type { operations } from '@plumbline/contract'
import type { AnnotationItem, AnnotationQueue } from '@plumbline/storage/control'
import type { ScoreRow } from '@plumbline/storage/traces'
import { readCursor, writeCursor } from '../../requests/cursor.ts'
import type { Verb } from '../../requests/verb.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { annotatorAgreement } from './annotator-agreement.ts'
import { annotatorOf, findQueue } from './view.ts'

/** How well the annotators of a queue agree, by their scores of the same items. */
export const agreement: Verb<typeof operations.annotationQueues.agreement> = async (
  { id, limit = 50, cursor },
  { workspace, caller },
) => {
  const queue = await findQueue(id, workspace)
  const after = cursor === undefined ? -1 : readCursor('disagreements', cursor, ['index'])[0]
  const scoredItems = await findScoredItems(queue, workspace)
  const names = new Map(scoredItems.map(({ score }) => [score.apiKeyId ?? '', score.author ?? '']))
  const annotator = (annotatorId: string) => annotatorOf(annotatorId, names.get(annotatorId) ?? '', caller.id)
  const evaluators = queue.evaluatorSlugs.map((evaluatorSlug) => {
    const coefficients = annotatorAgreement(
      scoredItems
        .filter(({ score }) => score.evaluatorSlug === evaluatorSlug)
        .map(({ item, score }) => ({
          itemId: item.id,
          annotatorId: score.apiKeyId ?? '',
          value: score.value,
        })),
    )
    const pairs = coefficients.pairs.map(({ annotatorIds, agreed, kappa }) => ({
      annotators: annotatorIds.map(annotator),
      agreed,
      kappa,
    }))
    return { evaluatorSlug, ...coefficients, pairs }
  })
  const disagreements = [
    ...Map.groupBy(scoredItems, ({ item, score }) => JSON.stringify([item.id, score.evaluatorSlug])).values(),
  ].filter((group) => group.some(({ score }) => score.value !== group[0]?.score.value))
  const page = disagreements.slice(after + 1, after + 1 + limit)
  const end = after + page.length
  return {
    evaluators,
    disagreements: page.map((group) => ({
      itemId: group[0]!.item.id,
      traceId: group[0]!.item.traceId,
      logId: group[0]!.item.logId ?? null,
      evaluatorSlug: group[0]!.score.evaluatorSlug ?? '',
      judgements: group.map(({ score }) => ({
        annotator: annotator(score.apiKeyId ?? ''),
        value: score.value,
        comment: score.comment,
      })),
    })),
    ...(end + 1 < disagreements.length ? { nextCursor: writeCursor('disagreements', [end]) } : {}),
  }
}

const tracesPerRead = 1000

/** The latest score per annotator, item and evaluator, in the order of the items. */
async function findScoredItems(
  { id, evaluatorSlugs }: AnnotationQueue,
  { annotationItems, traces }: Workspace,
): Promise<{ item: AnnotationItem; score: ScoreRow }[]> {
  const items = await annotationItems.listJudged(id, 1)
  const scoredItems: { item: AnnotationItem; score: ScoreRow }[] = []
  for (let start = 0; start < items.length; start += tracesPerRead) {
    const chunk = items.slice(start, start + tracesPerRead)
    const scores = await traces.humanScoresOf(
      [...new Set(chunk.map(({ traceId }) => traceId))],
      evaluatorSlugs,
    )
    const latest = new Map<string, ScoreRow>()
    for (const score of scores) {
      const { traceId, logId, apiKeyId, evaluatorSlug } = score
      const key = JSON.stringify([traceId, logId, evaluatorSlug, apiKeyId])
      if (score.revision >= (latest.get(key)?.revision ?? 0)) latest.set(key, score)
    }
    const byPlace = Map.groupBy(latest.values(), ({ traceId, logId }) => JSON.stringify([traceId, logId]))
    for (const item of chunk)
      for (const score of byPlace.get(JSON.stringify([item.traceId, item.logId ?? null])) ?? [])
        scoredItems.push({ item, score })
  }
  return scoredItems
}
