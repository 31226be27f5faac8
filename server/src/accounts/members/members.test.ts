import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { operations, type Role } from '@plumbline/contract'
import { startTestApp, type TestWorkspace } from '../../../testing/test-app.ts'

const { list, update, delete: remove, reset } = operations.members
const { app, newWorkspace } = await startTestApp()

const ownersOnly = 'Only an owner may add, change or remove owners.'
const lastOwner = 'A workspace needs at least one owner; make another member an owner first.'
const rolesIn = async (workspace: TestWorkspace) =>
  (await workspace.ok(list)).members.map(({ id, role }): [string, Role] => [id, role])

describe('members.list', () => {
  it('200: lists all members of the workspace with role and email address', async () => {
    const [workspace, other] = [await newWorkspace(), await newWorkspace()]
    const people = [await workspace.signIn('owner'), await workspace.signIn('viewer')]
    await other.signIn('owner')
    const { members } = await workspace.ok(list, {}, people[1])
    assert.deepEqual(
      members.map(({ id, email, role }) => [id, email, role]).toSorted(),
      [
        [people[0]?.id, people[0]?.email, 'owner'],
        [people[1]?.id, people[1]?.email, 'viewer'],
      ].toSorted(),
    )
  })
})

describe('members.update', () => {
  it('200: takes effect with the next request of the member', async () => {
    const workspace = await newWorkspace()
    const [admin, member] = [await workspace.signIn('admin'), await workspace.signIn('viewer')]
    const feature = { slug: 'chat', name: 'Chat' }
    await workspace.refused(operations.features.create, feature, 403, member)
    const changed = await workspace.ok(update, { id: member.id, role: 'editor' }, admin)
    assert.equal(changed.member.role, 'editor')
    await workspace.ok(operations.features.create, feature, member)
  })

  it('403: lets only owners make or unmake owners, and treats keys as admins', async () => {
    const workspace = await newWorkspace()
    const [owner, admin] = [await workspace.signIn('owner'), await workspace.signIn('admin')]
    for (const caller of [admin, {}]) {
      assert.equal(await workspace.refused(update, { id: admin.id, role: 'owner' }, 403, caller), ownersOnly)
      assert.equal(await workspace.refused(update, { id: owner.id, role: 'viewer' }, 403, caller), ownersOnly)
    }
    await workspace.ok(update, { id: admin.id, role: 'owner' }, owner)
  })

  it('409: the last owner stays an owner', async () => {
    const workspace = await newWorkspace()
    const owner = await workspace.signIn('owner')
    assert.equal(await workspace.refused(update, { id: owner.id, role: 'admin' }, 409, owner), lastOwner)
    const second = await workspace.signIn('owner')
    await workspace.ok(update, { id: owner.id, role: 'admin' }, second)
    assert.deepEqual(Object.fromEntries(await rolesIn(workspace)), {
      [owner.id]: 'admin',
      [second.id]: 'owner',
    })
  })

  it('400: refuses a role that does not exist', async () => {
    const workspace = await newWorkspace()
    const { id } = await workspace.signIn('viewer')
    assert.match(await workspace.refused(update, { id, role: 'boss' }, 400), /^role: /)
  })

  it('404: refuses a user who is not a member', async () => {
    const [workspace, other] = [await newWorkspace(), await newWorkspace()]
    for (const id of ['nobody', (await other.signIn('viewer')).id])
      await workspace.refused(update, { id, role: 'viewer' }, 404)
  })
})

describe('members.delete', () => {
  it('204: locks the member out at once', async () => {
    const workspace = await newWorkspace()
    const [owner, member] = [await workspace.signIn('owner'), await workspace.signIn('editor')]
    await workspace.ok(operations.features.list, {}, member)
    await workspace.ok(remove, { id: member.id }, owner)
    assert.match(
      await workspace.refused(operations.features.list, {}, 403, member),
      /^You are not a member of any workspace/,
    )
    assert.deepEqual(await rolesIn(workspace), [[owner.id, 'owner']])
  })

  it('403 and 409: protects owners from admins, and the last owner from everyone', async () => {
    const workspace = await newWorkspace()
    const [owner, admin] = [await workspace.signIn('owner'), await workspace.signIn('admin')]
    assert.equal(await workspace.refused(remove, { id: owner.id }, 403, admin), ownersOnly)
    assert.equal(await workspace.refused(remove, { id: owner.id }, 409, owner), lastOwner)
  })

  it('404: refuses a user who is not a member', async () => {
    await (await newWorkspace()).refused(remove, { id: 'nobody' }, 404)
  })
})

describe('members.reset', () => {
  it('201: returns a link by which the member sets a new password, which ends all earlier sessions', async () => {
    const workspace = await newWorkspace()
    const [admin, member] = [await workspace.signIn('admin'), await workspace.signIn('viewer')]
    const { url, expiresAt } = await workspace.ok(reset, { id: member.id }, admin)
    const link = new URL(url)
    assert.equal(link.pathname, '/app/reset')
    assert.ok(Date.parse(expiresAt) > Date.now())
    const token = link.searchParams.get('token')
    const request = (payload: object) =>
      app.server.inject({
        method: 'POST',
        url: '/auth/reset-password',
        headers: { 'sec-fetch-site': 'same-origin' },
        payload,
      })
    for (const password of ['too short', 'aaaaaaaaaa', 'password123'])
      assert.equal((await request({ token, password })).statusCode, 400)
    const answer = await request({ token, password: 'a new password' })
    assert.equal(answer.statusCode, 200, answer.payload)
    assert.match(String(answer.headers['set-cookie']), /^plumbline\.session_token=/)
    assert.equal((await request({ token, password: 'another password' })).statusCode, 403)
    await workspace.refused(list, {}, 401, member)
  })

  it('403: refuses callers with less power than the member, here or in another workspace', async () => {
    const workspace = await newWorkspace()
    const admin = await workspace.signIn('admin')
    const owner = await workspace.signIn('owner')
    for (const caller of [admin, {}]) await workspace.refused(reset, { id: owner.id }, 403, caller)
    const elsewhere = await workspace.signIn('viewer')
    await (await newWorkspace()).join(elsewhere, 'owner')
    for (const caller of [admin, owner, {}]) await workspace.refused(reset, { id: elsewhere.id }, 403, caller)
  })

  it('404: refuses a user who is not a member', async () => {
    await (await newWorkspace()).refused(reset, { id: 'nobody' }, 404)
  })
})
