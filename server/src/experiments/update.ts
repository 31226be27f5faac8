import type { operations } from '@plumbline/contract'
import { changing } from '../refusals.ts'
import type { Verb } from '../verb.ts'
import { toExperiment } from './view.ts'

export const update: Verb<typeof operations.experiments.update> = async ({ id, name }, { workspace }) => ({
  experiment: toExperiment(await changing(workspace.experiments.update(id, { name }))),
})
