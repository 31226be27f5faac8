import type { operations } from '@plumbline/contract'
import { changing } from '../refusals.ts'
import type { Verb } from '../verb.ts'

const deleteDataset: Verb<typeof operations.datasets.delete> = async ({ slug }, { workspace }) => {
  await changing(workspace.datasets.remove(slug))
  return undefined
}

export { deleteDataset as delete }
