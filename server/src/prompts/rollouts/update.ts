import type { operations } from '@plumbline/contract'
import { mapStorageErrors } from '../../requests/map-storage-errors.ts'
import type { Verb } from '../../requests/verb.ts'
import { answerOf } from './view.ts'

export const update: Verb<typeof operations.rollouts.update> = async (
  { id, share, alertIds },
  { workspace, caller, now },
) => {
  const change = { share: share ?? undefined, alertIds: alertIds ?? undefined, changedBy: caller.id }
  return answerOf(await mapStorageErrors(workspace.rollouts.update(id, change, now)), workspace)
}
