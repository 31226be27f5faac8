import type { operations } from '@plumbline/contract'
import { mapStorageErrors } from '../../requests/map-storage-errors.ts'
import type { Verb } from '../../requests/verb.ts'

const deleteShare: Verb<typeof operations.shares.delete> = async ({ id }, { workspace, now }) => {
  await mapStorageErrors(workspace.shares.revoke(id, now))
  return undefined
}

export { deleteShare as delete }
