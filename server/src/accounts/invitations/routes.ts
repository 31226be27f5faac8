import { operations } from '@plumbline/contract'
import type { PeopleStore } from '@plumbline/storage/control'
import { type Route, route } from '../../requests/verb.ts'
import { accept } from './accept.ts'
import { create } from './create.ts'
import { delete as withdraw } from './delete.ts'
import { list } from './list.ts'

export const invitationRoutes = (people: PeopleStore, onMember: () => void): Route[] => [
  route(operations.invitations.list, list),
  route(operations.invitations.create, create),
  route(operations.invitations.delete, withdraw),
  route(operations.invitations.accept, accept(people, onMember)),
]
