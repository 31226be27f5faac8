/** What an operator may not do to accounts. */
import { ServiceError } from '@plumbline/contract'
import { OwnerNeeded } from '@plumbline/storage/control'
import type { Principal } from '../../requests/verb.ts'

/** Runs a change of an account; throws `owner_needed` if workspaces would be left without an owner. */
export async function keepingOwners<Result>(change: Promise<Result>): Promise<Result> {
  try {
    return await change
  } catch (error) {
    if (!(error instanceof OwnerNeeded)) throw error
    const names = error.workspaces.map(({ workspaceName }) => `"${workspaceName}"`)
    throw new ServiceError('owner_needed', { workspaces: names.join(', ') }, { cause: error })
  }
}

/** Keeps operators from locking themselves out by mistake; another operator can do it. */
export function refuseOwnAccount(caller: Pick<Principal, 'id'>, id: string): void {
  if (caller.id === id)
    throw new ServiceError('forbidden', { problem: 'This is your own account; ask another operator.' })
}
