import type { Database, Sql } from '../store/sql.ts'
import * as accounts from './accounts.ts'
import * as people from './people.ts'
import * as signInRows from './sign-in-rows.ts'

/** User accounts and sign-in. They belong to the installation, not to a workspace. */
export type PeopleStore = ReturnType<typeof peopleStore>

export function peopleStore(database: Database) {
  const { sql } = database
  const withSql =
    <Args extends unknown[], Result>(query: (sql: Sql, ...args: Args) => Result) =>
    (...args: Args): Result =>
      query(sql, ...args)
  const withDatabase =
    <Args extends unknown[], Result>(query: (database: Database, ...args: Args) => Result) =>
    (...args: Args): Result =>
      query(database, ...args)
  return {
    findSession: withSql(people.findSession),
    touchSession: withSql(people.touchSession),
    findLinkOwner: withSql(people.findLinkOwner),
    findForgetful: withSql(people.findForgetful),
    memberships: withSql(people.memberships),
    hasOwner: withSql(people.hasOwner),
    addLink: withSql(people.addLink),
    addPasswordLink: withDatabase(people.addPasswordLink),
    findInvitation: withSql(people.findInvitation),
    add: (...input: [person: people.NewPerson, now: Date]) =>
      database.transaction((tx) => people.addPerson(tx, ...input)),
    addMember: withSql(people.addMember),
    endUnprovenSignIn: (personId: string) =>
      database.transaction((tx) => people.endUnprovenSignIn(tx, personId)),
    forgetExpired: withSql(people.forgetExpired),
    setUp: withDatabase(people.setUp),
    join: withDatabase(people.join),
    accept: withDatabase(people.accept),
    resetPassword: withDatabase(people.resetPassword),
    createWorkspace: withDatabase(people.createWorkspace),
    accounts: {
      list: withSql(accounts.list),
      find: withSql(accounts.find),
      isLocked: withSql(accounts.isLocked),
      lock: withDatabase(accounts.lock),
      unlock: withSql(accounts.unlock),
      delete: withDatabase(accounts.remove),
    },
    rows: {
      add: withSql(signInRows.add),
      find: withSql(signInRows.find),
      change: withSql(signInRows.change),
      remove: withSql(signInRows.remove),
    },
  }
}
