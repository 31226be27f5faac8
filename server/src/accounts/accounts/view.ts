import { type Account, ServiceError } from '@plumbline/contract'
import type { Account as StoredAccount } from '@plumbline/storage/control'
import { toWorkspace } from '../session/get.ts'
import type { AccountStore } from './routes.ts'

/** An account as the interface returns it. */
export const toAccount = ({
  id,
  name,
  email,
  createdAt,
  lockedAt,
  usedAt,
  providers,
  memberships,
}: StoredAccount): Account => ({
  id,
  name,
  email,
  createdAt: createdAt.toISOString(),
  ...(lockedAt === undefined ? {} : { lockedAt: lockedAt.toISOString() }),
  ...(usedAt === undefined ? {} : { lastUsedAt: usedAt.toISOString() }),
  signsInBy: providers.map((provider) => (provider === 'credential' ? 'password' : 'oidc')),
  workspaces: memberships.map(toWorkspace),
})

/** Finds an account by id; throws `account_not_found`. */
export async function findAccount(accounts: Pick<AccountStore, 'find'>, id: string): Promise<Account> {
  const account = await accounts.find(id)
  if (account === undefined) throw new ServiceError('account_not_found', { id })
  return toAccount(account)
}
