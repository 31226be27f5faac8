import type { operations } from '@plumbline/contract'
import { mapStorageErrors } from '../../requests/map-storage-errors.ts'
import type { Verb } from '../../requests/verb.ts'

const deleteConnection: Verb<typeof operations.connections.delete> = async ({ id }, { workspace }) => {
  await mapStorageErrors(workspace.connections.remove(id))
  return undefined
}

export { deleteConnection as delete }
