import type { operations } from '@plumbline/contract'
import { mapStorageErrors } from '../../requests/map-storage-errors.ts'
import type { Verb } from '../../requests/verb.ts'

/** Removes items from a queue, except those that have been judged. */
export const remove: Verb<typeof operations.annotationQueues.remove> = async (
  { id, itemIds },
  { workspace, now },
) => {
  const distinct = [...new Set(itemIds)]
  const { removed, heldItems, judged } = await mapStorageErrors(
    workspace.annotationItems.removeMany(id, distinct, now),
  )
  return { removed, held: heldItems, judged, missing: distinct.length - removed - judged }
}
