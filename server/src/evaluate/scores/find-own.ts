import { ServiceError } from '@plumbline/contract'
import type { ScoreRow } from '@plumbline/storage/traces'
import type { Context } from '../../requests/verb.ts'

/** A score by the caller. Waits for it if it is not yet in the trace store. */
export async function findOwn(id: string, { workspace, caller }: Context): Promise<ScoreRow> {
  const find = (): Promise<ScoreRow | undefined> => workspace.traces.findScore(id.toLowerCase())
  const score = (await find()) ?? (await workspace.settle().then(find))
  if (score === undefined) throw new ServiceError('score_not_found', { id })
  if (score.apiKeyId !== caller.id) throw new ServiceError('score_not_yours', { id })
  return score
}
