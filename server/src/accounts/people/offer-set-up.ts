import type { PeopleStore } from '@plumbline/storage/control'
import { hashToken, makeToken } from './one-time-link.ts'

/** The token of a new set-up link while there is no owner: the first owner signs up with it. */
export async function offerSetUp(people: PeopleStore, now: Date): Promise<string | undefined> {
  if (await people.hasOwner()) return undefined
  const token = makeToken()
  await people.addLink({ hash: hashToken(token) }, now)
  return token
}
