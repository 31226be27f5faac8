import type { operations } from '@plumbline/contract'
import type { Verb } from '../../requests/verb.ts'

export const get: Verb<typeof operations.masking.get> = async (_input, { workspace }) => ({
  rules: await workspace.maskingRules.list(),
})
