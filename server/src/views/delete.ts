import type { operations } from '@plumbline/contract'
import { changing } from '../refusals.ts'
import type { Verb } from '../verb.ts'

const deleteView: Verb<typeof operations.views.delete> = async ({ id }, { workspace }) => {
  await changing(workspace.views.remove(id))
  return undefined
}

export { deleteView as delete }
