import { type InputOf, invalid, type operations } from '@plumbline/contract'
import type { Verb } from '../../requests/verb.ts'
import { changedRules, toRetention } from './rules.ts'

export const update: Verb<typeof operations.retention.update> = async (input, { workspace }) => {
  checkFeatures(input)
  const rules = changedRules(await workspace.retention.find(), input)
  return toRetention(await workspace.retention.update(rules))
}

/** A feature has one rule. */
export function checkFeatures({ features }: InputOf<typeof operations.retention.update>): void {
  const slugs = new Set<string>()
  features?.forEach(({ featureSlug }, index) => {
    if (slugs.has(featureSlug)) throw invalid(`features[${index}].featureSlug`, 'must be there once')
    slugs.add(featureSlug)
  })
}
