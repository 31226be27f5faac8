import { type InputOf, invalid, type operations } from '@plumbline/contract'
import type { Verb } from '../../requests/verb.ts'
import { rulesIn, toRetention } from './rules.ts'

export const update: Verb<typeof operations.retention.update> = async (input, { workspace }) => {
  checkRules(input)
  return toRetention(await workspace.retention.update(rulesIn(input)))
}

/** Each feature and each environment may have only one rule. */
export function checkRules({ features, environments }: InputOf<typeof operations.retention.update>): void {
  checkOnce(
    features?.map(({ featureSlug }) => featureSlug),
    (index) => `features[${index}].featureSlug`,
  )
  checkOnce(
    environments?.map(({ environment }) => environment),
    (index) => `environments[${index}].environment`,
  )
}

function checkOnce(names: readonly string[] = [], fieldOf: (index: number) => string): void {
  const index = names.findIndex((name, position) => names.indexOf(name) < position)
  if (index >= 0) throw invalid(fieldOf(index), 'must not appear twice')
}
