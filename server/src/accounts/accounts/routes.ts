import { operations } from '@plumbline/contract'
import type { PeopleStore } from '@plumbline/storage/control'
import { type Route, route } from '../../requests/verb.ts'
import { delete as remove } from './delete.ts'
import { list } from './list.ts'
import { lock } from './lock.ts'
import { unlock } from './unlock.ts'

export type AccountStore = PeopleStore['accounts']

export const accountRoutes = ({ accounts }: PeopleStore, onAccount: (personId: string) => void): Route[] => [
  route(operations.accounts.list, list(accounts)),
  route(operations.accounts.lock, lock(accounts, onAccount)),
  route(operations.accounts.unlock, unlock(accounts)),
  route(operations.accounts.delete, remove(accounts, onAccount)),
]
