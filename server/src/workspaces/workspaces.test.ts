import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { operations } from '@plumbline/contract'
import { startTestApp } from '../testing.ts'

const { list, create, get, update } = operations.workspaces
const { newWorkspace } = await startTestApp()

describe('workspaces.create', () => {
  it('201: makes a workspace whose owner can use it at once', async () => {
    const workspace = await newWorkspace()
    for (const person of [await workspace.signIn('viewer'), await workspace.signIn()]) {
      const { workspace: made } = await workspace.ok(create, { name: 'Own' }, person)
      const headers = { ...person.headers, 'plumbline-workspace': made.id }
      const answer = await workspace.ok(get, {}, { ...person, headers })
      assert.deepEqual(answer.workspace, { id: made.id, name: 'Own', role: 'owner' })
      assert.deepEqual(
        (await workspace.ok(operations.features.list, {}, { ...person, headers })).features,
        [],
      )
    }
  })

  it('400: refuses a name that is empty or too long', async () => {
    const workspace = await newWorkspace()
    const person = await workspace.signIn('viewer')
    for (const name of ['', 'x'.repeat(129)])
      assert.match(await workspace.refused(create, { name }, 400, person), /^name: /)
  })
})

describe('workspaces.list', () => {
  it('200: has those of the person, the first joined first, or the one of the key', async () => {
    const workspace = await newWorkspace()
    const person = await workspace.signIn('viewer')
    const { workspace: own } = await workspace.ok(create, { name: 'Own' }, person)
    const here = { id: workspace.id, name: 'Test' }
    const { workspaces } = await workspace.ok(list, {}, person)
    assert.deepEqual(workspaces, [{ ...here, role: 'viewer' }, own])
    assert.deepEqual((await workspace.ok(list)).workspaces, [here])
  })
})

describe('workspaces.get', () => {
  it('200: has the role of a person and none of a key', async () => {
    const workspace = await newWorkspace()
    const here = { id: workspace.id, name: 'Test' }
    const person = await workspace.signIn('admin')
    assert.deepEqual((await workspace.ok(get, {}, person)).workspace, { ...here, role: 'admin' })
    assert.deepEqual((await workspace.ok(get)).workspace, here)
  })
})

describe('workspaces.update', () => {
  it('200: gives the workspace another name, which everybody sees', async () => {
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
