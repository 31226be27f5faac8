import type { operations } from '@plumbline/contract'
import type { Verb } from '../../requests/verb.ts'
import { toScore } from '../../traces/view.ts'
import { findOwn } from './find-own.ts'

export const update: Verb<typeof operations.scores.update> = async ({ id, value, comment }, context) => {
  const { traces, masking } = context.workspace
  const before = await findOwn(id, context)
  const masked = await masking.score({
    ...before,
    value: value ?? before.value,
    comment: comment === undefined ? before.comment : comment,
  })
  await traces.changeScore(before.scoreId, {
    value: value === undefined ? undefined : masked.value,
    comment: comment === undefined ? undefined : masked.comment,
  })
  // Another request may have changed other fields of it meanwhile.
  return { score: toScore(await findOwn(id, context), context.caller.id) }
}
