import { type operations, ServiceError } from '@plumbline/contract'
import { mapStorageErrors } from '../../requests/map-storage-errors.ts'
import type { Verb } from '../../requests/verb.ts'
import { toSummary } from './summary.ts'

export const restore: Verb<typeof operations.prompts.restore> = async ({ slug }, { workspace }) => {
  await mapStorageErrors(workspace.prompts.restore(slug))
  const restored = await workspace.prompts.find(slug)
  if (restored === undefined) throw new ServiceError('prompt_not_found', { slug })
  return { prompt: toSummary(restored) }
}
