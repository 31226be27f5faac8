import type { operations } from '@plumbline/contract'
import type { Verb } from '../../requests/verb.ts'
import { toScore } from '../../traces/view.ts'
import { findOwn } from './find-own.ts'

export const update: Verb<typeof operations.scores.update> = async ({ id, value, comment }, context) => {
  const before = await findOwn(id, context)
  const score = await context.workspace.masking.score({
    ...before,
    value: value ?? before.value,
    comment: comment === undefined ? before.comment : comment,
  })
  await context.workspace.traces.changeScore(score)
  return { score: toScore(score, context.caller.id) }
}
