import type { operations } from '@plumbline/contract'
import { mapConflict } from '../../requests/map-storage-errors.ts'
import type { Verb } from '../../requests/verb.ts'
import { toSummary } from './summary.ts'

export const create: Verb<typeof operations.prompts.create> = async (input, { workspace, now }) => {
  const { slug, name } = input
  const created = {
    slug,
    name,
    description: input.description ?? undefined,
    featureSlug: input.featureSlug ?? undefined,
    folder: input.folder || undefined,
  }
  return { prompt: toSummary(await mapConflict('prompt', slug, workspace.prompts.create(created, now))) }
}
