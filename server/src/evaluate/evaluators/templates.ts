import type { operations } from '@plumbline/contract'
import type { Verb } from '../../requests/verb.ts'
import { evaluatorTemplates } from './templates/templates.ts'

export const templates: Verb<typeof operations.evaluators.templates> = async (_input, { workspace }) => {
  const existing = await workspace.evaluators.findMany(evaluatorTemplates.map(({ slug }) => slug))
  const slugs = new Set(existing.map(({ slug }) => slug))
  return {
    templates: evaluatorTemplates.map((template) => ({ ...template, isTaken: slugs.has(template.slug) })),
  }
}
