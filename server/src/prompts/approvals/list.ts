import type { operations } from '@plumbline/contract'
import type { Verb } from '../../requests/verb.ts'
import { toApprovals } from './view.ts'

export const list: Verb<typeof operations.approvals.list> = async (
  { promptSlug, status },
  { workspace },
) => ({
  approvals: await toApprovals(
    await workspace.approvals.list({ promptSlug: promptSlug ?? null, status: status ?? null }),
    workspace,
  ),
})
