import { type operations, ServiceError } from '@plumbline/contract'
import { mapStorageErrors } from '../../requests/map-storage-errors.ts'
import type { Verb } from '../../requests/verb.ts'

const deleteComment: Verb<typeof operations.comments.delete> = async ({ id }, { workspace, caller }) => {
  const comment = await workspace.comments.find(id)
  if (comment === undefined) throw new ServiceError('comment_not_found', { id })
  const mayDelete = comment.createdBy === caller.id || caller.role === 'admin' || caller.role === 'owner'
  if (!mayDelete) throw new ServiceError('comment_of_another', { action: 'delete' })
  await mapStorageErrors(workspace.comments.remove(id))
  return undefined
}

export { deleteComment as delete }
