import { type operations, ServiceError } from '@plumbline/contract'
import type { Verb } from '../verb.ts'
import { answerOf } from './view.ts'

export const get: Verb<typeof operations.rollouts.get> = async ({ id }, { workspace }) => {
  const found = await workspace.rollouts.find(id)
  if (found === undefined) throw new ServiceError('rollout_not_found', { id })
  return answerOf(found, workspace)
}
