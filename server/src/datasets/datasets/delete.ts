import type { operations } from '@plumbline/contract'
import { mapStorageErrors } from '../../requests/map-storage-errors.ts'
import type { Verb } from '../../requests/verb.ts'

const deleteDataset: Verb<typeof operations.datasets.delete> = async ({ slug }, { workspace }) => {
  await mapStorageErrors(workspace.datasets.remove(slug))
  return undefined
}

export { deleteDataset as delete }
