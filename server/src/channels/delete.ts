import type { operations } from '@plumbline/contract'
import { changing } from '../refusals.ts'
import type { Verb } from '../verb.ts'

const deleteChannel: Verb<typeof operations.channels.delete> = async ({ id }, { workspace }) => {
  await changing(workspace.channels.remove(id))
  return undefined
}

export { deleteChannel as delete }
