import { type operations, ServiceError } from '@plumbline/contract'
import type { Verb } from '../../requests/verb.ts'

/** Revokes a key. Its row stays, so that what it recorded and made can still be told. */
const revoke: Verb<typeof operations.keys.delete> = async ({ id }, { workspace, now }) => {
  if (!(await workspace.apiKeys.revoke(id, now))) throw new ServiceError('key_not_found', { id })
  return undefined
}

export { revoke as delete }
