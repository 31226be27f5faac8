import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { operations } from '@plumbline/contract'
import { startTestApp } from '../../../testing/test-app.ts'

const { list, create, get, update } = operations.workspaces
const session = operations.session.get
const { newWorkspace } = await startTestApp()

describe('workspaces.create', () => {
  it('201: creates a workspace whose owner can use it at once', async () => {
    const workspace = await newWorkspace()
    const person = await workspace.signIn('owner')
    const { workspace: createdWorkspace } = await workspace.ok(create, { name: 'Own' }, person)
    const headers = { ...person.headers, 'plumbline-workspace': createdWorkspace.id }
    const answer = await workspace.ok(get, {}, { ...person, headers })
    assert.deepEqual(answer.workspace, { id: createdWorkspace.id, name: 'Own', role: 'owner' })
    assert.deepEqual((await workspace.ok(operations.features.list, {}, { ...person, headers })).features, [])
  })

  it('400: refuses a name that is empty or too long', async () => {
    const workspace = await newWorkspace()
    const person = await workspace.signIn('owner')
    for (const name of ['', 'x'.repeat(129)])
      assert.match(await workspace.refused(create, { name }, 400, person), /^name: /)
  })

  it('403: only users who own a workspace may do it, and the session says so (M1)', async () => {
    const workspace = await newWorkspace()
    for (const role of ['viewer', 'editor', 'admin'] as const) {
      const person = await workspace.signIn(role)
      assert.equal((await workspace.ok(session, {}, person)).mayCreateWorkspaces, false)
      const error = await workspace.refused(create, { name: 'Own' }, 403, person)
      assert.equal(error, 'Only workspace owners may create workspaces; ask an owner.')
    }
    const owner = await workspace.signIn('owner')
    assert.equal((await workspace.ok(session, {}, owner)).mayCreateWorkspaces, true)
  })

  it('403: users who were removed from every workspace may not do it (M1)', async () => {
    const workspace = await newWorkspace()
    const [owner, removed] = [await workspace.signIn('owner'), await workspace.signIn('owner')]
    await workspace.ok(operations.members.delete, { id: removed.id }, owner)
    const error = await workspace.refused(create, { name: 'Own' }, 403, removed)
    assert.equal(error, 'You are not a member of any workspace; ask someone to invite you.')
  })

  it('403: no user may own more than twenty, even with concurrent requests (M1)', async () => {
    const workspace = await newWorkspace()
    const person = await workspace.signIn('owner')
    const answers = await Promise.all(
      Array.from({ length: 22 }, (_each, index) => workspace.call(create, { name: `Own ${index}` }, person)),
    )
    assert.equal(answers.filter(({ status }) => status === 201).length, 19)
    const error = await workspace.refused(create, { name: 'Own' }, 403, person)
    assert.match(error, /^You own 20 workspaces/)
    assert.equal((await workspace.ok(session, {}, person)).mayCreateWorkspaces, false)
  })
})

describe('workspaces.list', () => {
  it("200: lists the user's workspaces in order of joining, or the one of the key", async () => {
    const workspace = await newWorkspace()
    const person = await workspace.signIn('owner')
    const { workspace: own } = await workspace.ok(create, { name: 'Own' }, person)
    const here = { id: workspace.id, name: 'Test' }
    const { workspaces } = await workspace.ok(list, {}, person)
    assert.deepEqual(workspaces, [{ ...here, role: 'owner' }, own])
    assert.deepEqual((await workspace.ok(list)).workspaces, [here])
  })
})

describe('workspaces.get', () => {
  it('200: has the role of a user, and no role for a key', async () => {
    const workspace = await newWorkspace()
    const here = { id: workspace.id, name: 'Test' }
    const person = await workspace.signIn('admin')
    assert.deepEqual((await workspace.ok(get, {}, person)).workspace, { ...here, role: 'admin' })
    assert.deepEqual((await workspace.ok(get)).workspace, here)
  })
})

describe('workspaces.update', () => {
  it('200: renames the workspace, visibly for everyone', async () => {
    const workspace = await newWorkspace()
    const person = await workspace.signIn('admin')
    await workspace.ok(list, {}, person)
    assert.equal((await workspace.ok(update, { name: 'Team' }, person)).workspace.name, 'Team')
    assert.equal((await workspace.ok(list, {}, person)).workspaces[0]?.name, 'Team')
    assert.equal((await workspace.ok(get)).workspace.name, 'Team')
  })

  it('400: refuses an empty name', async () => {
    assert.match(await (await newWorkspace()).refused(update, { name: '' }, 400), /^name: /)
  })
})
