import { type operations, ServiceError } from '@plumbline/contract'
import type { Verb } from '../../requests/verb.ts'

const withdraw: Verb<typeof operations.invitations.delete> = async ({ id }, { workspace }) => {
  if (!(await workspace.invitations.remove(id))) throw new ServiceError('invitation_not_found', { id })
  return undefined
}

export { withdraw as delete }
