import * as accounts from './accounts.ts'
import * as people from './people.ts'
import * as signInRows from './sign-in-rows.ts'
import type { Database, Sql } from './sql.ts'

/** People and how they sign in: of the installation, not of a workspace. */
export type PeopleStore = ReturnType<typeof peopleStore>

export function peopleStore(database: Database) {
  const { sql } = database
  const reading =
    <Rest extends unknown[], Answer>(question: (sql: Sql, ...rest: Rest) => Answer) =>
    (...rest: Rest): Answer =>
      question(sql, ...rest)
  const writing =
    <Rest extends unknown[], Answer>(question: (database: Database, ...rest: Rest) => Answer) =>
    (...rest: Rest): Answer =>
      question(database, ...rest)
  return {
    findSession: reading(people.findSession),
    touchSession: reading(people.touchSession),
    findLinkOwner: reading(people.findLinkOwner),
    findForgetful: reading(people.findForgetful),
    memberships: reading(people.memberships),
    hasOwner: reading(people.hasOwner),
    addLink: reading(people.addLink),
    findInvitation: reading(people.findInvitation),
    add: (...asked: [person: people.NewPerson, now: Date]) =>
      database.transaction((tx) => people.addPerson(tx, ...asked)),
    addMember: reading(people.addMember),
    forgetExpired: reading(people.forgetExpired),
    setUp: writing(people.setUp),
    join: writing(people.join),
    accept: writing(people.accept),
    resetPassword: writing(people.resetPassword),
    createWorkspace: writing(people.createWorkspace),
    accounts: {
      list: reading(accounts.list),
      find: reading(accounts.find),
      isLocked: reading(accounts.isLocked),
      lock: writing(accounts.lock),
      unlock: reading(accounts.unlock),
      delete: writing(accounts.remove),
    },
    rows: {
      add: reading(signInRows.add),
      find: reading(signInRows.find),
      change: reading(signInRows.change),
      remove: reading(signInRows.remove),
    },
  }
}
