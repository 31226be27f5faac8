import type { operations } from '@plumbline/contract'
import { mapStorageErrors } from '../../requests/map-storage-errors.ts'
import type { Verb } from '../../requests/verb.ts'

const deleteEvaluator: Verb<typeof operations.evaluators.delete> = async ({ slug }, { workspace }) => {
  await mapStorageErrors(workspace.evaluators.remove(slug))
  return undefined
}

export { deleteEvaluator as delete }
