import type { operations } from '@plumbline/contract'
import { mapStorageErrors } from '../../requests/map-storage-errors.ts'
import type { Verb } from '../../requests/verb.ts'

const deleteView: Verb<typeof operations.views.delete> = async ({ id }, { workspace }) => {
  await mapStorageErrors(workspace.views.remove(id))
  return undefined
}

export { deleteView as delete }
