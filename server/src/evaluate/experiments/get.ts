import { type operations, ServiceError } from '@plumbline/contract'
import type { Verb } from '../../requests/verb.ts'
import { toExperiment } from './view.ts'

export const get: Verb<typeof operations.experiments.get> = async ({ id }, { workspace }) => {
  const experiment = await workspace.experiments.find(id)
  if (experiment === undefined) throw new ServiceError('experiment_not_found', { id })
  return { experiment: toExperiment(experiment) }
}
