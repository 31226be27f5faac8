import type { operations } from '@plumbline/contract'
import type { Verb } from '../../requests/verb.ts'
import { toAssignment } from './assignment.ts'
import { findQueue, progressOf, viewItem } from './view.ts'

export const next: Verb<typeof operations.annotationQueues.next> = async ({ id, holding }, context) => {
  const { workspace } = context
  const queue = await findQueue(id, workspace)
  const itemId = await workspace.annotationAssignments.next(toAssignment(id, context), holding ?? [])
  const item = itemId === undefined ? undefined : await workspace.annotationItems.find(id, itemId)
  return {
    item: item === undefined ? null : await viewItem(item, queue, context),
    progress: await progressOf(queue, context),
  }
}
