import { type operations, ServiceError } from '@plumbline/contract'
import { mapStorageErrors } from '../../requests/map-storage-errors.ts'
import type { Verb } from '../../requests/verb.ts'
import { toSummary } from './summary.ts'

export const archive: Verb<typeof operations.prompts.archive> = async ({ slug }, { workspace, now }) => {
  await mapStorageErrors(workspace.prompts.archive(slug, now))
  const archived = await workspace.prompts.find(slug)
  if (archived === undefined) throw new ServiceError('prompt_not_found', { slug })
  return { prompt: toSummary(archived) }
}
