import type { operations } from '@plumbline/contract'
import type { Verb } from '../../requests/verb.ts'

export const get: Verb<typeof operations.retention.get> = async (_input, { workspace }) => ({
  days: (await workspace.retention.find()) ?? null,
})
