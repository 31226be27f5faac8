import type { operations } from '@plumbline/contract'
import { mapStorageErrors } from '../../requests/map-storage-errors.ts'
import type { Verb } from '../../requests/verb.ts'
import { toExperiment } from './view.ts'

export const create: Verb<typeof operations.experiments.create> = async (
  { featureSlug, name },
  { workspace, now },
) => toExperiment(await mapStorageErrors(workspace.experiments.create({ featureSlug, name }, now)))
