import { invalid, judgesFeature, type operations } from '@plumbline/contract'
import { mapConflict } from '../../requests/map-storage-errors.ts'
import type { Verb } from '../../requests/verb.ts'
import { toFeature } from './view.ts'

export const create: Verb<typeof operations.features.create> = async (input, { workspace, now }) => {
  const { slug, name } = input
  if (slug === judgesFeature) throw invalid('slug', 'is reserved for the judges of the service')
  const created = workspace.features.create({ slug, name, description: input.description ?? undefined }, now)
  return { feature: toFeature(await mapConflict('feature', slug, created)) }
}
