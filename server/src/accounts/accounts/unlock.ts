import { type operations, ServiceError } from '@plumbline/contract'
import type { Verb } from '../../requests/verb.ts'
import type { AccountStore } from './routes.ts'
import { findAccount } from './view.ts'

export const unlock =
  (accounts: AccountStore): Verb<typeof operations.accounts.unlock> =>
  async ({ id }) => {
    if (!(await accounts.unlock(id))) throw new ServiceError('account_not_found', { id })
    return { account: await findAccount(accounts, id) }
  }
