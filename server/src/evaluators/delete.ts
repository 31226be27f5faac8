import type { operations } from '@plumbline/contract'
import { changing } from '../refusals.ts'
import type { Verb } from '../verb.ts'

const deleteEvaluator: Verb<typeof operations.evaluators.delete> = async ({ slug }, { workspace }) => {
  await changing(workspace.evaluators.remove(slug))
  return undefined
}

export { deleteEvaluator as delete }
