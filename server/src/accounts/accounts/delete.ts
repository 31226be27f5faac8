import { type operations, ServiceError } from '@plumbline/contract'
import type { Verb } from '../../requests/verb.ts'
import { keepingOwners, refuseOwnAccount } from './keeping-owners.ts'
import type { AccountStore } from './routes.ts'

/** Deletes an account; calls `onAccount`, so that its sessions end at once on this node. */
const remove =
  (accounts: AccountStore, onAccount: (personId: string) => void): Verb<typeof operations.accounts.delete> =>
  async ({ id, takeOver }, { caller, now }) => {
    refuseOwnAccount(caller, id)
    const change = { actorId: caller.id, takesOver: takeOver === true, now }
    if (!(await keepingOwners(accounts.delete(id, change))))
      throw new ServiceError('account_not_found', { id })
    onAccount(id)
    return undefined
  }

export { remove as delete }
