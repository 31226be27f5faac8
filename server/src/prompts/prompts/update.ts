import { type operations, ServiceError } from '@plumbline/contract'
import { mapStorageErrors } from '../../requests/map-storage-errors.ts'
import type { Verb } from '../../requests/verb.ts'
import { toSummary } from './summary.ts'

export const update: Verb<typeof operations.prompts.update> = async (
  { slug, name, description, featureSlug, folder },
  { workspace },
) => {
  const feature = featureSlug === '' ? null : (featureSlug ?? undefined)
  const change = {
    name: name ?? undefined,
    description: description ?? undefined,
    featureSlug: feature,
    folder: folder === '' ? null : (folder ?? undefined),
  }
  await mapStorageErrors(workspace.prompts.update(slug, change))
  const updated = await workspace.prompts.find(slug)
  if (updated === undefined) throw new ServiceError('prompt_not_found', { slug })
  return { prompt: toSummary(updated) }
}
