import type { operations } from '@plumbline/contract'
import type { Verb } from '../../requests/verb.ts'
import { findOwn } from './find-own.ts'

const deleteScore: Verb<typeof operations.scores.delete> = async ({ id }, context) => {
  const { scoreId } = await findOwn(id, context)
  await context.workspace.traces.deleteScore(scoreId)
  return undefined
}

export { deleteScore as delete }
