import { type operations, ServiceError } from '@plumbline/contract'
import type { Verb } from '../../requests/verb.ts'
import { findTrace } from '../../traces/find.ts'
import type { ShareSigner } from './share-signature.ts'
import { toShares } from './view.ts'

const dayMs = 86_400_000
const daysByDefault = 7

export const makeCreate =
  (signer: ShareSigner): Verb<typeof operations.shares.create> =>
  async ({ traceId, days = daysByDefault }, context) => {
    const { workspace, caller, now } = context
    const storedTrace = await findTrace(traceId.toLowerCase(), workspace)
    if (storedTrace === undefined) throw new ServiceError('trace_not_found', { id: traceId })
    const share = await workspace.shares.create(
      {
        traceId: storedTrace.trace.traceId,
        createdBy: caller.id,
        expiresAt: new Date(now.getTime() + days * dayMs),
      },
      now,
    )
    const [view] = await toShares([share], context, signer)
    return { share: view! }
  }
