import type { operations } from '@plumbline/contract'
import type { Verb } from '../../requests/verb.ts'
import { mentionsOf } from './mentions-of.ts'
import { subjectIdOf } from './subject.ts'
import { toComments } from './view.ts'

export const create: Verb<typeof operations.comments.create> = async (input, { workspace, caller, now }) => {
  const { subjectType, text } = input
  const subjectId = await subjectIdOf(subjectType, input.subjectId, workspace)
  const mentions = await mentionsOf(input.mentions ?? [], workspace)
  const storedComment = await workspace.comments.create(
    { subjectType, subjectId, text, mentions, createdBy: caller.id },
    now,
  )
  const [comment] = await toComments(workspace, [storedComment])
  return { comment: comment! }
}
