import type { operations } from '@plumbline/contract'
import type { Verb } from '../../requests/verb.ts'
import type { ShareSigner } from './share-signature.ts'
import { toShares } from './view.ts'

export const makeList =
  (signer: ShareSigner): Verb<typeof operations.shares.list> =>
  async ({ traceId }, context) => {
    const storedShares = await context.workspace.shares.list(traceId?.toLowerCase() ?? null)
    return { shares: await toShares(storedShares, context, signer) }
  }
