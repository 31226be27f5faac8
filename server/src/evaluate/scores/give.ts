import type { ScoreRow } from '@plumbline/storage/traces'
import { derivedId, newId } from '../../id.ts'
import type { AcceptedScore } from '../../ingest/monitor/record.ts'
import { makeScoreRow } from '../../ingest/monitor/worker/make-rows.ts'
import type { Context } from '../../requests/verb.ts'

/** A score of an existing trace, or of one of its logs. */
export interface ScoreInput {
  readonly traceId: string
  readonly logId: string | undefined
  readonly name: string
  readonly value: ScoreRow['value']
  readonly comment: string | undefined
  readonly createdAtMs?: number | undefined
  /** The end user who gave the score. */
  readonly userId?: string | undefined
  /** The caller's own id of the score: a new score with the same id replaces the old one. */
  readonly key?: string | undefined
  /** The evaluator that the caller applied. */
  readonly evaluator?: { readonly slug: string; readonly version: number } | undefined
}

/**
 * Records a score the way traces are recorded: durable when this resolves, readable at once. When an end user scores the
 * same trace again, or an annotator judges it again by the same evaluator version, the new score has the same id and
 * replaces the old one.
 */
export async function giveScore(
  input: ScoreInput,
  { workspace, caller, now }: Pick<Context, 'workspace' | 'caller' | 'now'>,
): Promise<ScoreRow> {
  const { traceId, logId, name, value, comment, createdAtMs } = input
  const stableKey = findStableKey(input, caller.id)
  const accepted: AcceptedScore = {
    type: 'score',
    workspaceId: workspace.id,
    apiKeyId: caller.id,
    receivedAtMs: now.getTime(),
    scoreId: stableKey === undefined ? newId(now) : derivedId(traceId, [workspace.id, traceId, ...stableKey]),
    given: {
      source: caller.session === undefined ? 'api' : 'human',
      author: caller.name,
      userId: input.userId ?? null,
      evaluator: input.evaluator ?? null,
      revision: stableKey === undefined ? 0 : workspace.recorder.nextRevision(now),
    },
  }
  const body = Buffer.from(JSON.stringify({ traceId, logId, name, value, comment, createdAtMs }))
  const storedRecord = await workspace.recorder.append(accepted, body)
  return makeScoreRow(storedRecord.accepted, storedRecord.body)
}

/** The key by which a new score replaces an old one; undefined if scores never replace each other. */
function findStableKey(
  { logId, name, userId, evaluator, key }: ScoreInput,
  callerId: string,
): unknown[] | undefined {
  if (evaluator !== undefined)
    return ['annotator', logId ?? null, evaluator.slug, evaluator.version, callerId]
  if (key !== undefined) return ['key', key]
  return userId === undefined ? undefined : ['user', logId ?? null, name, userId]
}
