import type { operations } from '@plumbline/contract'
import { changing } from '../refusals.ts'
import type { Verb } from '../verb.ts'

const deleteQueue: Verb<typeof operations.annotationQueues.delete> = async ({ id }, { workspace }) => {
  await changing(workspace.annotationQueues.remove(id))
  return undefined
}

export { deleteQueue as delete }
