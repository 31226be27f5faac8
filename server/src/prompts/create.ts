import type { operations } from '@plumbline/contract'
import { creating } from '../refusals.ts'
import type { Verb } from '../verb.ts'
import { toSummary } from './summary.ts'

export const create: Verb<typeof operations.prompts.create> = async (input, { workspace, now }) => {
  const { slug, name } = input
  const created = {
    slug,
    name,
    description: input.description ?? undefined,
    featureSlug: input.featureSlug ?? undefined,
  }
  return { prompt: toSummary(await creating('prompt', slug, workspace.prompts.create(created, now))) }
}
