import { ServiceError } from '@plumbline/contract'
import type { ScoreRow } from '@plumbline/storage/traces'
import type { Context } from '../verb.ts'

/** A score that the caller gave. It is waited for, should it be on its way to the trace store still. */
export async function findOwn(id: string, { workspace, caller }: Context): Promise<ScoreRow> {
  const find = (): Promise<ScoreRow | undefined> => workspace.traces.findScore(id.toLowerCase())
  const found = (await find()) ?? (await workspace.settle().then(find))
  if (found === undefined) throw new ServiceError('score_not_found', { id })
  if (found.apiKeyId !== caller.id) throw new ServiceError('score_not_yours', { id })
  return found
}
