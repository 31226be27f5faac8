import type { Experiment } from '@plumbline/contract'
import type { Experiment as StoredExperiment } from '@plumbline/storage/control'

/** An experiment as the interface shows it. */
export const toExperiment = ({ id, name, featureSlug, createdAt }: StoredExperiment): Experiment => ({
  id,
  name,
  featureSlug,
  createdAt: createdAt.toISOString(),
})
