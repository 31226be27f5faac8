import type { operations } from '@plumbline/contract'
import type { Verb } from '../../requests/verb.ts'

export const update: Verb<typeof operations.masking.update> = async ({ rules }, { workspace, now }) => {
  workspace.masking.check(rules)
  await workspace.maskingRules.replace(rules, now)
  workspace.masking.keep(rules)
  return { rules }
}
