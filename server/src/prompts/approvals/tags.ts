import type { operations } from '@plumbline/contract'
import type { Verb } from '../../requests/verb.ts'

export const tags: Verb<typeof operations.approvals.tags> = async (_input, { workspace }) => ({
  tags: await workspace.approvals.tags(),
})
