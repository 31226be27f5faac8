import type { operations } from '@plumbline/contract'
import { mapStorageErrors } from '../../requests/map-storage-errors.ts'
import type { Verb } from '../../requests/verb.ts'

const deleteQueue: Verb<typeof operations.annotationQueues.delete> = async ({ id }, { workspace }) => {
  await mapStorageErrors(workspace.annotationQueues.remove(id))
  return undefined
}

export { deleteQueue as delete }
