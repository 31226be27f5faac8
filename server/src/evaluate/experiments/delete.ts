import type { operations } from '@plumbline/contract'
import { mapStorageErrors } from '../../requests/map-storage-errors.ts'
import type { Verb } from '../../requests/verb.ts'

const deleteExperiment: Verb<typeof operations.experiments.delete> = async ({ id }, { workspace }) => {
  await mapStorageErrors(workspace.experiments.remove(id))
  return undefined
}

export { deleteExperiment as delete }
