import type { operations } from '@plumbline/contract'
import { nextCursorOf, readPageKey } from '../../requests/cursor.ts'
import type { Verb } from '../../requests/verb.ts'
import { findQueue, viewItems } from './view.ts'

export const items: Verb<typeof operations.annotationQueues.items> = async (
  { id, status, limit = 50, cursor },
  context,
) => {
  const { workspace, now } = context
  const queue = await findQueue(id, workspace)
  const { annotatorsPerItem } = queue
  const after = readPageKey('annotation items', cursor)
  const page = await workspace.annotationItems.list(
    { queueId: id, status, annotatorsPerItem, now },
    { limit, ...(after === undefined ? {} : { after }) },
  )
  return {
    items: await viewItems(page.items, queue, context),
    ...nextCursorOf('annotation items', page.next),
  }
}
