import type { operations } from '@plumbline/contract'
import { changing } from '../refusals.ts'
import type { Verb } from '../verb.ts'

export const discard: Verb<typeof operations.datasets.discard> = async ({ slug, ids }, { workspace }) => ({
  discarded: await changing(workspace.datasetRows.removeMany(slug, ids)),
})
