import type { operations } from '@plumbline/contract'
import { mapStorageErrors } from '../../requests/map-storage-errors.ts'
import type { Verb } from '../../requests/verb.ts'
import { toExperiment } from './view.ts'

export const update: Verb<typeof operations.experiments.update> = async ({ id, name }, { workspace }) => ({
  experiment: toExperiment(await mapStorageErrors(workspace.experiments.update(id, { name }))),
})
