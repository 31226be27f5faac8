import type { operations } from '@plumbline/contract'
import { changing } from '../refusals.ts'
import type { Verb } from '../verb.ts'

const deleteExperiment: Verb<typeof operations.experiments.delete> = async ({ id }, { workspace }) => {
  await changing(workspace.experiments.remove(id))
  return undefined
}

export { deleteExperiment as delete }
