import type { PeopleStore } from '@plumbline/storage/control'
import { hashToken, makeToken } from './one-time-link.ts'

/** The token of a new link to the set-up, while nobody owns anything: the first owner comes by it. */
export async function offerSetUp(people: PeopleStore, now: Date): Promise<string | undefined> {
  if (await people.hasOwner()) return undefined
  const token = makeToken()
  await people.addLink({ hash: hashToken(token) }, now)
  return token
}
