import { operations } from '@plumbline/contract'
import type { PeopleStore } from '@plumbline/storage/control'
import { type Route, route } from '../../requests/verb.ts'
import { delete as remove } from './delete.ts'
import { list } from './list.ts'
import { reset } from './reset.ts'
import { update } from './update.ts'

export const memberRoutes = (people: PeopleStore, onChanged: (personId: string) => void): Route[] => [
  route(operations.members.list, list),
  route(operations.members.update, update(onChanged)),
  route(operations.members.delete, remove(onChanged)),
  route(operations.members.reset, reset(people)),
]
