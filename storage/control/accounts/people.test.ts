import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { AlreadyExists, LastOwner } from '../errors.ts'
import { forEachControlStore, type OpenedWorkspace } from '../testing.ts'

const now = new Date('2026-03-01T12:00:00Z')
const later = new Date('2026-03-02T12:00:00Z')
const newPerson = (name = 'Ada') => ({
  name,
  email: `${randomUUID()}@example.com`,
  passwordHash: `hash of ${name}`,
})

forEachControlStore('people', (open) => {
  const join = async ({ store, workspaceId }: OpenedWorkspace, role: string, time = now) => {
    const person = await store.people.add(newPerson(), time)
    await store.people.addMember({ workspaceId, personId: person.id, role }, time)
    return person
  }
  const session = async ({ store }: OpenedWorkspace, userId: string) => {
    const token = randomUUID()
    const times = { expiresAt: later, createdAt: now, updatedAt: now }
    await store.people.rows.add('session', { id: randomUUID(), userId, token, ...times })
    return token
  }

  test('a session has the signed-in user and the memberships, oldest first', async () => {
    const opened = await open()
    const other = await open()
    const person = await join(opened, 'editor', later)
    await opened.store.people.addMember(
      { workspaceId: other.workspaceId, personId: person.id, role: 'owner' },
      now,
    )
    const { id, ...fields } = (await opened.store.people.findSession(await session(opened, person.id)))!
    assert.match(id, /^[0-9a-f-]{36}$/)
    assert.deepEqual(fields, {
      person,
      expiresAt: later,
      usedAt: now,
      memberships: [
        { workspaceId: other.workspaceId, workspaceName: 'Test', role: 'owner' },
        { workspaceId: opened.workspaceId, workspaceName: 'Test', role: 'editor' },
      ],
    })
    assert.equal(await opened.store.people.findSession('unknown'), undefined)
  })

  test('of several users who open a set-up link at once, one becomes the first owner', async () => {
    const { store, workspaceId } = await open()
    const links = [randomUUID(), randomUUID()]
    for (const hash of links) await store.people.addLink({ hash }, now)
    const newPeople = await Promise.all(
      [...links, ...links].map((hash) => store.people.setUp({ hash, workspaceId }, newPerson(), now)),
    )
    assert.equal(newPeople.filter((person) => person !== undefined).length, 1)
    assert.equal(await store.people.hasOwner(), true)
    assert.equal(await store.people.setUp({ hash: 'unknown', workspaceId }, newPerson(), now), undefined)
  })

  test('an invitation is accepted once, by a new or existing account, until it expires', async () => {
    const { store, workspace, workspaceId } = await open()
    const invite = async (email: string) => {
      const hash = randomUUID()
      const input = { email, role: 'viewer', hash, invitedBy: 'key', expiresAt: later }
      await workspace.invitations.create(input, now)
      return (await store.people.findInvitation(hash, now))!
    }
    const invitation = await invite('new@example.com')
    assert.deepEqual([invitation.isKnown, invitation.workspaceName], [false, 'Test'])
    const newPeople = await Promise.all([1, 2].map(() => store.people.join(invitation, newPerson(), now)))
    assert.equal(newPeople.filter((person) => person !== undefined).length, 1)
    const existingPerson = await store.people.add(newPerson(), now)
    const second = await invite(existingPerson.email)
    assert.equal(second.isKnown, true)
    assert.equal(await store.people.accept(second, existingPerson.id, now), true)
    assert.equal(await store.people.accept(second, existingPerson.id, now), false)
    assert.deepEqual(
      (await workspace.members.list()).map(({ email, role }) => [email, role]).toSorted(),
      [
        ['new@example.com', 'viewer'],
        [existingPerson.email, 'viewer'],
      ].toSorted(),
    )
    const third = {
      email: 'late@example.com',
      role: 'viewer',
      hash: randomUUID(),
      invitedBy: 'key',
      expiresAt: now,
    }
    await workspace.invitations.create(third, now)
    assert.equal(await store.people.findInvitation(third.hash, now), undefined)
    assert.deepEqual(await workspace.invitations.list(now), [])
    assert.equal((await store.people.memberships(existingPerson.id))[0]?.workspaceId, workspaceId)
  })

  test('a workspace keeps an owner', async () => {
    const opened = await open()
    const { members } = opened.workspace
    const [first, second] = [await join(opened, 'owner'), await join(opened, 'owner', later)]
    assert.equal((await members.update(second.id, 'viewer'))?.role, 'viewer')
    await assert.rejects(members.update(first.id, 'admin'), LastOwner)
    await assert.rejects(members.remove(first.id), LastOwner)
    assert.equal(await members.remove(second.id), true)
    assert.equal(await members.remove(second.id), false)
    assert.equal(await members.update('nobody', 'viewer'), undefined)
    const { workspace: other } = await open()
    assert.equal(await other.members.remove(first.id), false)
  })

  test('a new password ends the sessions and the other links of a person', async () => {
    const opened = await open()
    const { people } = opened.store
    const person = await join(opened, 'viewer')
    const token = await session(opened, person.id)
    const [hash, otherHash] = [randomUUID(), randomUUID()]
    for (const each of [hash, otherHash])
      await people.addLink({ hash: each, personId: person.id, expiresAt: later }, now)
    assert.equal(await people.resetPassword({ hash, passwordHash: 'x' }, later), undefined)
    assert.equal((await people.resetPassword({ hash, passwordHash: 'new' }, now))?.id, person.id)
    for (const each of [hash, otherHash])
      assert.equal(await people.resetPassword({ hash: each, passwordHash: 'x' }, now), undefined)
    assert.equal(await people.findSession(token), undefined)
    const where = [{ field: 'userId', operator: 'eq', connector: 'AND', value: person.id }] as const
    const [account] = await people.rows.find({ kind: 'account', where }, 10)
    assert.equal(account?.password, 'new')
  })

  test('a password link ends if its subject gains permissions, or its creator loses some', async () => {
    const opened = await open()
    const { people } = opened.store
    const { members, invitations } = opened.workspace
    await join(opened, 'owner')
    const changes: Record<string, (maker: string, subject: string) => Promise<unknown>> = {
      'the subject rises': (_maker, subject) => members.update(subject, 'owner'),
      'the subject joins another workspace': async (_maker, subject) => {
        const input = { name: 'Other', ownerId: subject, ownedMax: 10 }
        await people.createWorkspace(input, now)
      },
      'the maker falls': (maker) => members.update(maker, 'viewer'),
      'the maker is removed': (maker) => members.remove(maker),
      'the maker is locked': (maker) =>
        people.accounts.lock(maker, { actorId: 'operator', takesOver: false, now }),
    }
    for (const [name, change] of Object.entries(changes)) {
      const [maker, subject] = [await join(opened, 'admin'), await join(opened, 'viewer')]
      const hash = randomUUID()
      const email = `${randomUUID()}@example.com`
      await people.addLink({ hash, personId: subject.id, expiresAt: later }, now)
      const invitation = { email, role: 'admin', hash: randomUUID(), invitedBy: maker.id, expiresAt: later }
      await invitations.create(invitation, now)
      await change(maker.id, subject.id)
      assert.equal(await people.findLinkOwner(hash, now), undefined, name)
      const isOpen = (await invitations.list(now)).some((each) => each.email === email)
      assert.equal(isOpen, name.startsWith('the subject'), name)
    }
  })

  test('a password link ends, or is not created, if its subject or creator changes at the same time', async () => {
    const opened = await open()
    const { people } = opened.store
    const { members } = opened.workspace
    await join(opened, 'owner')
    const changes: Record<string, (maker: string, subject: string) => Promise<unknown>> = {
      'the subject rises': (_maker, subject) => members.update(subject, 'owner'),
      'the subject joins another workspace': async (_maker, subject) => {
        const { workspaceId } = await open()
        await people.addMember({ workspaceId, personId: subject, role: 'owner' }, now)
      },
      'the maker falls': (maker) => members.update(maker, 'viewer'),
      'the maker is locked': (maker) =>
        people.accounts.lock(maker, { actorId: 'operator', takesOver: false, now }),
    }
    for (const [name, change] of Object.entries(changes))
      for (const isChangedFirst of [false, true]) {
        const [maker, subject] = [await join(opened, 'admin'), await join(opened, 'viewer')]
        const link = { hash: randomUUID(), personId: subject.id, expiresAt: later, makerId: maker.id }
        let changed = isChangedFirst ? change(maker.id, subject.id) : undefined
        const isMade = await people.addPasswordLink(
          link,
          (theirs, mine) => {
            changed ??= change(maker.id, subject.id)
            return theirs.length === 1 && theirs[0]?.role === 'viewer' && mine?.[0]?.role === 'admin'
          },
          now,
        )
        await changed
        assert.ok(isMade || isChangedFirst, name)
        assert.equal(await people.findLinkOwner(link.hash, now), undefined, name)
      }
  })

  test('links created by an API key end with the key, and revoking a key without that scope ends none', async () => {
    const opened = await open()
    const { people } = opened.store
    const { apiKeys, invitations } = opened.workspace
    const subject = await join(opened, 'viewer')
    const remains: unknown[] = []
    for (const scopes of [['ingest', 'read'], ['manage']]) {
      const key = { name: 'CI', hash: randomUUID(), prefix: 'pl_abcd', scopes }
      const { id } = await apiKeys.create(key, now)
      const hash = randomUUID()
      await people.addLink({ hash, personId: subject.id, expiresAt: later }, now)
      const email = `${randomUUID()}@example.com`
      const invitation = { email, role: 'admin', hash: randomUUID(), invitedBy: id, expiresAt: later }
      await invitations.create(invitation, now)
      await apiKeys.revoke(id, now)
      const isInvited = (await invitations.list(now)).some((each) => each.email === email)
      remains.push([(await people.findLinkOwner(hash, now)) !== undefined, isInvited])
    }
    assert.deepEqual(remains, [
      [true, true],
      [false, false],
    ])
  })

  test('links stay if a member who could create none leaves, is demoted or is locked', async () => {
    const opened = await open()
    const { people } = opened.store
    const { members } = opened.workspace
    await join(opened, 'owner')
    const subject = await join(opened, 'viewer')
    const hash = randomUUID()
    await people.addLink({ hash, personId: subject.id, expiresAt: later }, now)
    await members.remove((await join(opened, 'editor')).id)
    await members.update((await join(opened, 'editor')).id, 'viewer')
    const lock = { actorId: 'operator', takesOver: false, now }
    await people.accounts.lock((await join(opened, 'viewer')).id, lock)
    await people.accounts.delete((await join(opened, 'viewer')).id, lock)
    assert.equal((await people.findLinkOwner(hash, now))?.id, subject.id)
  })

  test('an address belongs to one person', async () => {
    const { store } = await open()
    const person = newPerson()
    await store.people.add(person, now)
    await assert.rejects(store.people.add(person, now), AlreadyExists)
  })

  test('names are found by the ids of people and keys, including people who left', async () => {
    const opened = await open()
    const person = await join(opened, 'viewer')
    await opened.workspace.members.remove(person.id)
    const key = { name: 'CI', hash: randomUUID(), prefix: 'pl_', scopes: ['read'] }
    const { id } = await opened.workspace.apiKeys.create(key, now)
    const names = await opened.workspace.members.names([person.id, id, 'unknown'])
    assert.deepEqual(Object.fromEntries(names), { [person.id]: 'Ada', [id]: 'CI' })
  })

  test('sign-in rows are found, changed and removed by conditions', async () => {
    const opened = await open()
    const { rows } = opened.store.people
    const person = await join(opened, 'viewer')
    const tokens = [await session(opened, person.id), await session(opened, person.id)]
    const condition = (field: string, operator: string, value: unknown, connector: 'AND' | 'OR' = 'AND') => ({
      field,
      operator,
      value,
      connector,
    })
    const mine = condition('userId', 'eq', person.id)
    const count = async (...where: ReturnType<typeof condition>[]) =>
      (await rows.find({ kind: 'session', where: [mine, ...where] }, 10)).length
    assert.equal(await count(condition('token', 'in', tokens)), 2)
    assert.equal(
      await count(condition('token', 'eq', tokens[0], 'OR'), condition('token', 'eq', 'x', 'OR')),
      1,
    )
    assert.equal(await count(condition('expiresAt', 'gt', later)), 0)
    assert.equal(await count(condition('ipAddress', 'eq', null)), 2)
    const query = { kind: 'session', where: [condition('token', 'eq', tokens[0])] }
    const [changed] = await rows.change(query, { expiresAt: now, unknown: 'not kept' })
    assert.deepEqual([changed?.expiresAt, changed?.token], [now, tokens[0]])
    await opened.store.people.forgetExpired(later, now)
    assert.equal(await count(), 1)
    assert.equal((await rows.remove({ kind: 'session', where: [mine] })).length, 1)
    await assert.rejects(rows.find({ kind: 'people', where: [] }, 1), /no table/)
    await assert.rejects(
      rows.find({ kind: 'user', where: [condition('1=1; --', 'eq', 'x')] }, 1),
      /no column/,
    )
  })
})
