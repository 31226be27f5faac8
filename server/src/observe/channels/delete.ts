import type { operations } from '@plumbline/contract'
import { mapStorageErrors } from '../../requests/map-storage-errors.ts'
import type { Verb } from '../../requests/verb.ts'

const deleteChannel: Verb<typeof operations.channels.delete> = async ({ id }, { workspace, now }) => {
  await mapStorageErrors(workspace.channels.remove(id, now))
  return undefined
}

export { deleteChannel as delete }
