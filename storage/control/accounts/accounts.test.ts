import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { LastOwner } from '../errors.ts'
import { forEachControlStore, type OpenedWorkspace } from '../testing.ts'
import { OwnerNeeded } from './accounts.ts'

const now = new Date('2026-03-01T12:00:00Z')
const later = new Date('2026-03-02T12:00:00Z')

forEachControlStore('accounts', (open) => {
  const join = async ({ store, workspaceId }: OpenedWorkspace, role: string, name = 'Ada') => {
    const person = { name, email: `${randomUUID()}@example.com`, passwordHash: 'x' }
    const createdPerson = await store.people.add(person, now)
    await store.people.addMember({ workspaceId, personId: createdPerson.id, role }, now)
    return createdPerson
  }
  const session = async ({ store }: OpenedWorkspace, userId: string) => {
    const token = randomUUID()
    const times = { expiresAt: later, createdAt: now, updatedAt: now }
    await store.people.rows.add('session', { id: randomUUID(), userId, token, ...times })
    return token
  }

  test('a locked account has no session, not even one that starts meanwhile, until it is unlocked', async () => {
    const opened = await open()
    const { accounts, findSession } = opened.store.people
    const person = await join(opened, 'viewer')
    const before = await session(opened, person.id)
    assert.equal(await accounts.lock(person.id, { actorId: 'x', takesOver: false, now }), true)
    const meanwhile = await session(opened, person.id)
    for (const token of [before, meanwhile]) assert.equal(await findSession(token), undefined)
    assert.equal(await accounts.isLocked(person.id), true)
    assert.equal(await accounts.unlock(person.id), true)
    assert.equal(await findSession(before), undefined)
    assert.equal((await findSession(meanwhile))?.person.id, person.id)
    assert.equal(await accounts.lock('nobody', { actorId: 'x', takesOver: false, now }), false)
  })

  test('if two owners are locked at once, one stays', async () => {
    const opened = await open()
    const { accounts } = opened.store.people
    const owners = [await join(opened, 'owner'), await join(opened, 'owner')]
    const change = { actorId: 'x', takesOver: false, now }
    const locked = await Promise.allSettled(owners.map(({ id }) => accounts.lock(id, change)))
    const refused = locked.filter((each) => each.status === 'rejected')
    assert.equal(refused.length, 1)
    assert.ok(refused[0]?.reason instanceof OwnerNeeded)
  })

  test('a locked owner does not count as an owner', async () => {
    const opened = await open()
    const [first, second] = [await join(opened, 'owner'), await join(opened, 'owner')]
    await opened.store.people.accounts.lock(second.id, { actorId: 'x', takesOver: false, now })
    await assert.rejects(opened.workspace.members.remove(first.id), LastOwner)
    await assert.rejects(opened.workspace.members.update(first.id, 'viewer'), LastOwner)
    assert.equal(await opened.workspace.members.remove(second.id), true)
  })

  test('an operator who takes over becomes an owner, even if already a member with a lower role', async () => {
    const opened = await open()
    const [owner, viewer] = [await join(opened, 'owner'), await join(opened, 'viewer')]
    const { accounts } = opened.store.people
    assert.equal(await accounts.delete(owner.id, { actorId: viewer.id, takesOver: true, now }), true)
    assert.deepEqual(
      (await opened.workspace.members.list()).map(({ id, role }) => [id, role]),
      [[viewer.id, 'owner']],
    )
    assert.equal((await opened.workspace.members.names([owner.id])).get(owner.id), 'Ada')
  })

  test('accounts are found by part of the name or the address, page by page', async () => {
    const opened = await open()
    const word = randomUUID().slice(0, 8)
    for (const index of [1, 2, 3]) await join(opened, 'viewer', `Grace ${word.toUpperCase()} ${index}`)
    const { accounts } = opened.store.people
    const first = await accounts.list({ q: word, limit: 2 })
    assert.equal(first.items.length, 2)
    const rest = await accounts.list({ q: word, limit: 2, after: first.next! })
    assert.deepEqual([rest.items.length, rest.next], [1, undefined])
    const { email } = first.items[0]!
    assert.equal((await accounts.list({ q: email })).items.length, 1)
    assert.equal((await accounts.list({ q: '%' })).items.length, 0)
  })

  test('each account of a page has its own workspaces and its own last use', async () => {
    const opened = await open()
    const word = randomUUID().slice(0, 8)
    const editor = await join(opened, 'editor', `Grace ${word}`)
    const viewer = await join(opened, 'viewer', `Edsger ${word}`)
    await session(opened, viewer.id)
    const { items } = await opened.store.people.accounts.list({ q: word, limit: 10 })
    const { workspaceId } = opened
    assert.deepEqual(
      new Map(
        items.map(({ id, memberships, providers, usedAt }) => [
          id,
          [memberships.map((membership) => [membership.workspaceId, membership.role]), providers, usedAt],
        ]),
      ),
      new Map([
        [editor.id, [[[workspaceId, 'editor']], ['credential'], undefined]],
        [viewer.id, [[[workspaceId, 'viewer']], ['credential'], now]],
      ]),
    )
  })
})
