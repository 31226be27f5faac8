import type { operations } from '@plumbline/contract'
import { changing } from '../refusals.ts'
import type { Verb } from '../verb.ts'

const deleteConnection: Verb<typeof operations.connections.delete> = async ({ id }, { workspace }) => {
  await changing(workspace.connections.remove(id))
  return undefined
}

export { deleteConnection as delete }
