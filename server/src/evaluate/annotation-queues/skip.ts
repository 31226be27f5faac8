import { type operations, ServiceError } from '@plumbline/contract'
import { mapStorageErrors } from '../../requests/map-storage-errors.ts'
import type { Verb } from '../../requests/verb.ts'
import { toAssignment } from './assignment.ts'
import { findQueue, progressOf, viewItem } from './view.ts'

export const skip: Verb<typeof operations.annotationQueues.skip> = async ({ id, itemId }, context) => {
  const { workspace } = context
  const queue = await findQueue(id, workspace)
  if (!(await mapStorageErrors(workspace.annotationAssignments.skip(toAssignment(id, context), itemId))))
    throw new ServiceError('annotation_item_judged', undefined)
  const item = await workspace.annotationItems.find(id, itemId)
  if (item === undefined) throw new ServiceError('annotation_item_not_found', { id: itemId })
  return {
    item: await viewItem(item, queue, context),
    progress: await progressOf(queue, context),
  }
}
