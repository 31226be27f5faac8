import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { operations } from '@plumbline/contract'
import { startTestApp } from '../../../testing/test-app.ts'

const { get } = operations.session
const { newWorkspace } = await startTestApp()

describe('session.get', () => {
  it('200: tells users who they are, and what they may do where', async () => {
    const workspace = await newWorkspace()
    const person = await workspace.signIn('editor')
    const here = { id: workspace.id, name: 'Test', role: 'editor' }
    assert.deepEqual(await workspace.ok(get, {}, person), {
      type: 'person',
      person: { id: person.id, name: 'editor', email: person.email },
      workspace: here,
      role: 'editor',
      scopes: ['ingest', 'read', 'manage'],
      workspaces: [here],
      mayCreateWorkspaces: false,
      isOperator: false,
    })
    const { role, scopes } = await workspace.ok(get, {}, await workspace.signIn('viewer'))
    assert.deepEqual([role, scopes], ['viewer', ['read']])
  })

  it('200: tells operators that they are operators', async () => {
    const workspace = await newWorkspace()
    const { isOperator } = await workspace.ok(get, {}, await workspace.signInOperator())
    assert.equal(isOperator, true)
    assert.equal((await workspace.ok(get, {}, await workspace.signIn('owner'))).isOperator, false)
  })

  it('200: works for a user in no workspace', async () => {
    const workspace = await newWorkspace()
    const session = await workspace.ok(get, {}, await workspace.signIn())
    assert.deepEqual([session.type, session.scopes, session.workspaces], ['person', [], []])
    assert.ok(!('workspace' in session) && !('role' in session))
  })

  it('200: tells a program which key it uses', async () => {
    const workspace = await newWorkspace()
    const here = { id: workspace.id, name: 'Test' }
    const { id, secret } = await workspace.newKey(['read'])
    assert.deepEqual(await workspace.ok(get, {}, { key: secret }), {
      type: 'key',
      apiKey: { id, name: 'Test' },
      workspace: here,
      scopes: ['read'],
      workspaces: [here],
      mayCreateWorkspaces: false,
      isOperator: false,
    })
  })
})
