import type { operations } from '@plumbline/contract'
import type { Verb } from '../verb.ts'
import { evaluatorTemplates } from './templates/templates.ts'

export const templates: Verb<typeof operations.evaluators.templates> = async (_input, { workspace }) => {
  const taken = await workspace.evaluators.findMany(evaluatorTemplates.map(({ slug }) => slug))
  const slugs = new Set(taken.map(({ slug }) => slug))
  return { templates: evaluatorTemplates.map((of) => ({ ...of, isTaken: slugs.has(of.slug) })) }
}
