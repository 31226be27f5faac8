import { type operations, ServiceError } from '@plumbline/contract'
import type { Verb } from '../../requests/verb.ts'
import { keepingOwners, refuseOwnAccount } from './keeping-owners.ts'
import type { AccountStore } from './routes.ts'
import { findAccount } from './view.ts'

/** Locks an account; calls `onAccount`, so that its sessions end at once on this node. */
export const lock =
  (accounts: AccountStore, onAccount: (personId: string) => void): Verb<typeof operations.accounts.lock> =>
  async ({ id, takeOver }, { caller, now }) => {
    refuseOwnAccount(caller, id)
    const change = { actorId: caller.id, takesOver: takeOver === true, now }
    if (!(await keepingOwners(accounts.lock(id, change)))) throw new ServiceError('account_not_found', { id })
    onAccount(id)
    return { account: await findAccount(accounts, id) }
  }
