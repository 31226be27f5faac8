import { type operations, ServiceError } from '@plumbline/contract'
import type { EndedKeys } from '../../process/foundation.ts'
import type { Verb } from '../../requests/verb.ts'

/**
 * Revokes a key; `onEnded` hears of it, so that it stops working here at once. Its row stays, so that what it recorded and made
 * can still be told.
 */
const revoke =
  (onEnded: (keys: EndedKeys) => void): Verb<typeof operations.keys.delete> =>
  async ({ id }, { workspace, now }) => {
    try {
      if (!(await workspace.apiKeys.revoke(id, now))) throw new ServiceError('key_not_found', { id })
      return undefined
    } finally {
      // Also when the store did not respond: it may have revoked the key all the same.
      onEnded({ workspaceId: workspace.id, id })
    }
  }

export { revoke as delete }
