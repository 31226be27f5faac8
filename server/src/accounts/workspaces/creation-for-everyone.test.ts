import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { operations } from '@plumbline/contract'
import { startTestApp } from '../../../testing/test-app.ts'

const { create } = operations.workspaces
const { newWorkspace } = await startTestApp({ settings: { PLUMBLINE_WORKSPACE_CREATION: 'everyone' } })

describe('workspaces.create, with PLUMBLINE_WORKSPACE_CREATION=everyone', () => {
  it('201: is allowed for every member of a workspace (M1)', async () => {
    const workspace = await newWorkspace()
    const person = await workspace.signIn('viewer')
    assert.equal((await workspace.ok(operations.session.get, {}, person)).mayCreateWorkspaces, true)
    await workspace.ok(create, { name: 'Own' }, person)
  })

  it('403: is not allowed for a user in no workspace (M1)', async () => {
    const workspace = await newWorkspace()
    const person = await workspace.signIn()
    assert.equal((await workspace.ok(operations.session.get, {}, person)).mayCreateWorkspaces, false)
    assert.match(
      await workspace.refused(create, { name: 'Own' }, 403, person),
      /^You are not a member of any workspace/,
    )
  })
})
