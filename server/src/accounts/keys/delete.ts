import { type operations, ServiceError } from '@plumbline/contract'
import type { EndedKeys } from '../../process/foundation.ts'
import type { Verb } from '../../requests/verb.ts'

/**
 * Revokes a key; calls `onEnded`, so that it stops working at once on this node. Its row is kept, so that what it recorded
 * and created can still be attributed.
 */
const revoke =
  (onEnded: (keys: EndedKeys) => void): Verb<typeof operations.keys.delete> =>
  async ({ id }, { workspace, now }) => {
    try {
      if (!(await workspace.apiKeys.revoke(id, now))) throw new ServiceError('key_not_found', { id })
      return undefined
    } finally {
      // Also if the store did not respond: it may have revoked the key anyway.
      onEnded({ workspaceId: workspace.id, id })
    }
  }

export { revoke as delete }
