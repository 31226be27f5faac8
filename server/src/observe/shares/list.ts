import type { operations } from '@plumbline/contract'
import type { Verb } from '../../requests/verb.ts'
import { findStoredId } from '../../traces/find.ts'
import type { ShareSigner } from './share-signature.ts'
import { toShares } from './view.ts'

export const makeList =
  (signer: ShareSigner): Verb<typeof operations.shares.list> =>
  async ({ traceId }, context) => {
    const { workspace } = context
    const keptId = traceId === undefined ? null : await findStoredId(traceId, workspace)
    const storedShares = await workspace.shares.list(keptId)
    return { shares: await toShares(storedShares, context, signer) }
  }
