import type { operations } from '@plumbline/contract'
import type { AnnotationItem, AnnotationQueue } from '@plumbline/storage/control'
import type { ScoreRow } from '@plumbline/storage/traces'
import { readCursor, writeCursor } from '../cursor.ts'
import type { Verb } from '../verb.ts'
import type { Workspace } from '../workspace.ts'
import { annotatorAgreement } from './annotator-agreement.ts'
import { annotatorOf, findQueue } from './view.ts'

/** How much the people of a queue agree, by what they gave the same traces by its evaluators. */
export const agreement: Verb<typeof operations.annotationQueues.agreement> = async (
  { id, limit = 50, cursor },
  { workspace, caller },
) => {
  const queue = await findQueue(id, workspace)
  const after = cursor === undefined ? -1 : Number(readCursor('disagreements', cursor, ['number'])[0])
  const judged = await judgementsOfQueue(queue, workspace)
  const names = new Map(judged.map(({ score }) => [score.apiKeyId ?? '', score.author ?? '']))
  const annotator = (annotatorId: string) => annotatorOf(annotatorId, names.get(annotatorId) ?? '', caller.id)
  const evaluators = queue.evaluatorSlugs.map((evaluatorSlug) => {
    const found = annotatorAgreement(
      judged
        .filter(({ score }) => score.evaluatorSlug === evaluatorSlug)
        .map(({ item, score }) => ({
          itemId: item.id,
          annotatorId: score.apiKeyId ?? '',
          value: score.value,
        })),
    )
    const pairs = found.pairs.map(({ annotatorIds, agreed, kappa }) => ({
      annotators: annotatorIds.map(annotator),
      agreed,
      kappa,
    }))
    return { evaluatorSlug, ...found, pairs }
  })
  const differing = [
    ...Map.groupBy(judged, ({ item, score }) => JSON.stringify([item.id, score.evaluatorSlug])).values(),
  ].filter((same) => same.some(({ score }) => score.value !== same[0]?.score.value))
  const page = differing.slice(after + 1, after + 1 + limit)
  const end = after + page.length
  return {
    evaluators,
    disagreements: page.map((same) => ({
      itemId: same[0]!.item.id,
      traceId: same[0]!.item.traceId,
      logId: same[0]!.item.logId ?? null,
      evaluatorSlug: same[0]!.score.evaluatorSlug ?? '',
      judgements: same.map(({ score }) => ({
        annotator: annotator(score.apiKeyId ?? ''),
        value: score.value,
        comment: score.comment,
      })),
    })),
    ...(end + 1 < differing.length ? { nextCursor: writeCursor('disagreements', [end]) } : {}),
  }
}

const tracesPerRead = 1000

/** The last judgement of each person, item and evaluator, in the order of the items. */
async function judgementsOfQueue(
  { id, evaluatorSlugs }: AnnotationQueue,
  { annotationItems, traces }: Workspace,
): Promise<{ item: AnnotationItem; score: ScoreRow }[]> {
  const items = await annotationItems.judged(id, 1)
  const found: { item: AnnotationItem; score: ScoreRow }[] = []
  for (let start = 0; start < items.length; start += tracesPerRead) {
    const some = items.slice(start, start + tracesPerRead)
    const scores = await traces.judgementsOf([...new Set(some.map(({ traceId }) => traceId))], evaluatorSlugs)
    const last = new Map<string, ScoreRow>()
    for (const score of scores) {
      const { traceId, logId, apiKeyId, evaluatorSlug } = score
      const key = JSON.stringify([traceId, logId, evaluatorSlug, apiKeyId])
      if (score.revision >= (last.get(key)?.revision ?? 0)) last.set(key, score)
    }
    const byPlace = Map.groupBy(last.values(), ({ traceId, logId }) => JSON.stringify([traceId, logId]))
    for (const item of some)
      for (const score of byPlace.get(JSON.stringify([item.traceId, item.logId ?? null])) ?? [])
        found.push({ item, score })
  }
  return found
}
