import { type operations, ServiceError } from '@plumbline/contract'
import { mapStorageErrors } from '../../requests/map-storage-errors.ts'
import type { Verb } from '../../requests/verb.ts'
import { mentionsOf } from './mentions-of.ts'
import { toComments } from './view.ts'

export const update: Verb<typeof operations.comments.update> = async (input, { workspace, caller, now }) => {
  const { id, text } = input
  const before = await workspace.comments.find(id)
  if (before === undefined) throw new ServiceError('comment_not_found', { id })
  if (before.createdBy !== caller.id) throw new ServiceError('comment_of_another', { action: 'change' })
  const mentions = input.mentions === undefined ? undefined : await mentionsOf(input.mentions, workspace)
  const storedComment = await mapStorageErrors(workspace.comments.update(id, { text, mentions }, now))
  const [comment] = await toComments(workspace, [storedComment])
  return { comment: comment! }
}
