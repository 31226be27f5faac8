import type { operations } from '@plumbline/contract'
import { mapStorageErrors } from '../../requests/map-storage-errors.ts'
import type { Verb } from '../../requests/verb.ts'
import { answerOf } from './view.ts'

/** Moves the tag to the candidate, which is served to everyone from now on. */
export const promote: Verb<typeof operations.rollouts.promote> = async ({ id }, { workspace, caller, now }) =>
  answerOf(await mapStorageErrors(workspace.rollouts.promote(id, caller.id, now)), workspace)
