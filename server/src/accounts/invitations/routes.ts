import { operations } from '@plumbline/contract'
import type { PeopleStore } from '@plumbline/storage/control'
import { type Route, route } from '../../requests/verb.ts'
import type { LinkMailSettings } from '../people/link-mails.ts'
import { accept } from './accept.ts'
import { create } from './create.ts'
import { delete as withdraw } from './delete.ts'
import { list } from './list.ts'

interface InvitationParts {
  readonly people: PeopleStore
  /** Undefined if the service mails no links. */
  readonly linkMails: LinkMailSettings | undefined
  readonly onMember: () => void
}

export const invitationRoutes = ({ people, linkMails, onMember }: InvitationParts): Route[] => [
  route(operations.invitations.list, list),
  route(operations.invitations.create, create(linkMails)),
  route(operations.invitations.delete, withdraw),
  route(operations.invitations.accept, accept(people, onMember)),
]
