import type { operations } from '@plumbline/contract'
import { mapStorageErrors } from '../../requests/map-storage-errors.ts'
import type { Verb } from '../../requests/verb.ts'

const deleteDashboard: Verb<typeof operations.dashboards.delete> = async ({ slug }, { workspace }) => {
  await mapStorageErrors(workspace.dashboards.remove(slug))
  return undefined
}

export { deleteDashboard as delete }
