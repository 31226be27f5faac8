import { type operations, ServiceError } from '@plumbline/contract'
import type { Verb } from '../../requests/verb.ts'
import { toApprovals } from './view.ts'

/** Approves a request, which moves the tag, or rejects it. */
export const decide: Verb<typeof operations.approvals.decide> = async (
  { id, isApproved, reason },
  { workspace, caller, now },
) => {
  const { approvals } = workspace
  const request = await approvals.find(id)
  if (request === undefined) throw new ServiceError('approval_not_found', { id })
  const { requestedBy } = request
  const makers = await workspace.apiKeys.findMakers([requestedBy])
  // The creator of an API key must not approve in person what they requested with the key.
  if (isApproved && [requestedBy, makers.get(requestedBy)].includes(caller.id))
    throw new ServiceError('own_approval', undefined)
  const decision = { isApproved, reason: reason ?? '', decidedBy: caller.id }
  const isDecided = await approvals.decide(id, decision, now)
  const decided = await approvals.find(id)
  if (decided === undefined) throw new ServiceError('approval_not_found', { id })
  if (!isDecided) throw new ServiceError('approval_decided', { status: decided.status })
  const [approval] = await toApprovals([decided], workspace)
  return { approval: approval! }
}
