import type { operations } from '@plumbline/contract'
import { mapStorageErrors } from '../../requests/map-storage-errors.ts'
import type { Verb } from '../../requests/verb.ts'
import { answerOf } from './view.ts'

/** Serves the version with the tag to everyone again. */
export const rollback: Verb<typeof operations.rollouts.rollback> = async (
  { id, reason },
  { workspace, caller, now },
) => {
  const ending = { reason: reason ?? '', endedBy: caller.id }
  return answerOf(await mapStorageErrors(workspace.rollouts.rollBack(id, ending, now)), workspace)
}
