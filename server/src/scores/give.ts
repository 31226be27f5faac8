import type { ScoreRow } from '@plumbline/storage/traces'
import { derivedId, newId } from '../id.ts'
import { makeScoreRow } from '../monitor/make-rows.ts'
import type { AcceptedScore } from '../monitor/record.ts'
import type { Context } from '../verb.ts'

/** A judgement of a trace that exists, or of a log in it. */
export interface Judgement {
  readonly traceId: string
  readonly logId: string | undefined
  readonly name: string
  readonly value: ScoreRow['value']
  readonly comment: string | undefined
  readonly createdAtMs?: number | undefined
  /** The end user whose judgement it is. */
  readonly userId?: string | undefined
  /** The evaluator that the caller judged by. */
  readonly evaluator?: { readonly slug: string; readonly version: number } | undefined
}

/**
 * Records a score. It takes the way of a trace: durable when this resolves, readable at once. What an end user says
 * again of the same, and what a person judges again by the same version of an evaluator, has the id that it had before,
 * and takes its place.
 */
export async function giveScore(
  judgement: Judgement,
  { workspace, caller, now }: Pick<Context, 'workspace' | 'caller' | 'now'>,
): Promise<ScoreRow> {
  const { traceId, logId, name, value, comment, createdAtMs } = judgement
  const lasting = lastingKey(judgement, caller.id)
  const accepted: AcceptedScore = {
    type: 'score',
    workspaceId: workspace.id,
    apiKeyId: caller.id,
    receivedAtMs: now.getTime(),
    scoreId: lasting === undefined ? newId(now) : derivedId(traceId, [workspace.id, traceId, ...lasting]),
    given: {
      source: caller.session === undefined ? 'api' : 'human',
      author: caller.name,
      userId: judgement.userId ?? null,
      evaluator: judgement.evaluator ?? null,
      revision: lasting === undefined ? 0 : workspace.recorder.nextRevision(now),
    },
  }
  const body = Buffer.from(JSON.stringify({ traceId, logId, name, value, comment, createdAtMs }))
  await workspace.recorder.append(accepted, body)
  return makeScoreRow(accepted, body)
}

/** What makes two givings the same judgement; undefined where each is one of its own. */
function lastingKey({ logId, name, userId, evaluator }: Judgement, callerId: string): unknown[] | undefined {
  if (evaluator !== undefined)
    return ['annotator', logId ?? null, evaluator.slug, evaluator.version, callerId]
  return userId === undefined ? undefined : ['user', logId ?? null, name, userId]
}
