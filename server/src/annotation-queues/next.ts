import type { operations } from '@plumbline/contract'
import type { Verb } from '../verb.ts'
import { turnOf } from './turn.ts'
import { findQueue, progressOf, viewItem } from './view.ts'

export const next: Verb<typeof operations.annotationQueues.next> = async ({ id, holding }, context) => {
  const { workspace } = context
  const queue = await findQueue(id, workspace)
  const itemId = await workspace.annotationTurns.next(turnOf(id, context), holding ?? [])
  const item = itemId === undefined ? undefined : await workspace.annotationItems.find(id, itemId)
  return {
    item: item === undefined ? null : await viewItem(item, queue, context),
    progress: await progressOf(queue, context),
  }
}
