import { type operations, ServiceError } from '@plumbline/contract'
import type { Verb } from '../../requests/verb.ts'
import { answerOf } from './view.ts'

export const get: Verb<typeof operations.rollouts.get> = async ({ id }, { workspace }) => {
  const rollout = await workspace.rollouts.find(id)
  if (rollout === undefined) throw new ServiceError('rollout_not_found', { id })
  return answerOf(rollout, workspace)
}
