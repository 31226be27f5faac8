import type { operations } from '@plumbline/contract'
import { nextCursorOf, readPageKey } from '../../requests/cursor.ts'
import type { Verb } from '../../requests/verb.ts'
import type { AccountStore } from './routes.ts'
import { toAccount } from './view.ts'

export const list =
  (accounts: AccountStore): Verb<typeof operations.accounts.list> =>
  async ({ q, limit = 100, cursor }) => {
    const after = readPageKey('accounts', cursor)
    const page = await accounts.list({ q, limit, ...(after === undefined ? {} : { after }) })
    return { accounts: page.items.map(toAccount), ...nextCursorOf('accounts', page.next) }
  }
