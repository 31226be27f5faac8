import { operations } from '@plumbline/contract'
import type { PeopleStore } from '@plumbline/storage/control'
import { type Route, route } from '../../requests/verb.ts'
import type { LinkMailSettings } from '../people/link-mails.ts'
import { delete as remove } from './delete.ts'
import { list } from './list.ts'
import { reset } from './reset.ts'
import { update } from './update.ts'

interface MemberParts {
  readonly people: PeopleStore
  /** The display name of the identity provider; undefined if there is none. */
  readonly providerName: string | undefined
  /** Undefined if the service mails no links. */
  readonly linkMails: LinkMailSettings | undefined
  readonly onChanged: (personId: string) => void
}

export const memberRoutes = ({ people, providerName, linkMails, onChanged }: MemberParts): Route[] => [
  route(operations.members.list, list),
  route(operations.members.update, update(onChanged)),
  route(operations.members.delete, remove(onChanged)),
  route(operations.members.reset, reset({ people, providerName, linkMails })),
]
