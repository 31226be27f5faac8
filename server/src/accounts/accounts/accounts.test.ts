import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { operations } from '@plumbline/contract'
import { defaultWorkspaceId } from '@plumbline/storage/control'
import {
  errorOf,
  makeFeature,
  makeLivePrompt,
  startTestApp,
  type TestWorkspace,
} from '../../../testing/test-app.ts'

const { list, lock, unlock, delete: remove } = operations.accounts
const { app, newWorkspace, send } = await startTestApp()
const password = 'quiet harbor lantern'

const signIn = (email: string, passwordText = password) =>
  send({
    method: 'POST',
    url: '/auth/sign-in/email',
    headers: { 'sec-fetch-site': 'same-origin' },
    payload: { email, password: passwordText },
  })

/** A member who can sign in with the password. */
async function joinWorkspace(workspace: TestWorkspace, role: 'viewer' | 'editor' | 'owner' = 'editor') {
  const email = `${crypto.randomUUID()}@example.com`
  const caller = role === 'owner' ? await workspace.signIn('owner') : {}
  const { url } = await workspace.ok(operations.invitations.create, { email, role }, caller)
  const answer = await send({
    method: 'POST',
    url: '/auth/join',
    headers: { 'sec-fetch-site': 'same-origin' },
    payload: { token: new URL(url).searchParams.get('token'), name: 'Ada', password },
  })
  assert.equal(answer.status, 200, answer.text)
  const cookie = String(answer.headers['set-cookie']).split(';')[0]!
  const options = { key: null, headers: { cookie, 'sec-fetch-site': 'same-origin' } }
  const { person } = await workspace.ok(operations.session.get, {}, options)
  return { email, id: person!.id, options }
}

describe('accounts.list', () => {
  it('200: lists every account with its workspaces and sign-in methods, newest first', async () => {
    const workspace = await newWorkspace()
    const operator = await workspace.signInOperator()
    const { id, email } = await joinWorkspace(workspace)
    const [account] = (await workspace.ok(list, { q: email.slice(0, 20).toUpperCase() }, operator)).accounts
    assert.deepEqual(
      { ...account, createdAt: '', lastUsedAt: '' },
      {
        id,
        name: 'Ada',
        email,
        createdAt: '',
        lastUsedAt: '',
        signsInBy: ['password'],
        workspaces: [{ id: workspace.id, name: 'Test', role: 'editor' }],
      },
    )
    const first = await workspace.ok(list, { limit: 1 }, operator)
    assert.equal(first.accounts[0]?.id, id)
    const next = await workspace.ok(list, { limit: 1, cursor: first.nextCursor }, operator)
    assert.equal(next.accounts[0]?.id, operator.id)
    assert.deepEqual((await workspace.ok(list, { q: '%' }, operator)).accounts, [])
  })

  it('400: names the invalid field', async () => {
    const workspace = await newWorkspace()
    const operator = await workspace.signInOperator()
    assert.match(await workspace.refused(list, { limit: 0 }, 400, operator), /^limit: /)
    assert.match(await workspace.refused(list, { cursor: 'x' }, 400, operator), /^cursor: /)
  })
})

describe('accounts.lock', () => {
  it('200: ends the sessions at once, and reveals the lock only after the right password (M1)', async () => {
    const workspace = await newWorkspace()
    const operator = await workspace.signInOperator()
    const { id, email, options } = await joinWorkspace(workspace)
    await workspace.ok(operations.features.list, {}, options)
    const { account } = await workspace.ok(lock, { id }, operator)
    assert.ok(account.lockedAt)
    await workspace.refused(operations.features.list, {}, 401, options)
    const right = await signIn(email)
    assert.equal(right.status, 403)
    assert.equal(errorOf(right), 'This account is locked; ask the operator of this service.')
    assert.equal(right.headers['set-cookie'], undefined)
    const wrong = await signIn(email, 'another harbor lantern')
    assert.deepEqual([wrong.status, errorOf(wrong)], [401, 'The e-mail address or the password is wrong.'])
    assert.equal((await workspace.ok(unlock, { id }, operator)).account.lockedAt, undefined)
    assert.equal((await signIn(email)).status, 200)
  })

  it('200: invalidates password links, and keeps API keys (M1)', async () => {
    const workspace = await newWorkspace()
    const operator = await workspace.signInOperator()
    const { id } = await joinWorkspace(workspace)
    const { url } = await workspace.ok(operations.members.reset, { id })
    await workspace.ok(lock, { id }, operator)
    const reset = await send({
      method: 'POST',
      url: '/auth/reset-password',
      headers: { 'sec-fetch-site': 'same-origin' },
      payload: { token: new URL(url).searchParams.get('token'), password },
    })
    assert.equal(reset.status, 403)
    await workspace.ok(operations.features.list)
  })

  it('400: takeOver is true or false', async () => {
    const workspace = await newWorkspace()
    const operator = await workspace.signInOperator()
    const { id } = await joinWorkspace(workspace)
    assert.match(await workspace.refused(lock, { id, takeOver: 'x' }, 400, operator), /^takeOver: /)
  })

  it('403: is not for one’s own account, nor for owners of other workspaces (M1)', async () => {
    const workspace = await newWorkspace()
    const operator = await workspace.signInOperator()
    const { id } = await joinWorkspace(workspace)
    assert.match(await workspace.refused(lock, { id: operator.id }, 403, operator), /^This is your own/)
    await workspace.refused(lock, { id }, 403, await workspace.signIn('owner'))
    await workspace.refused(lock, { id }, 403)
  })

  it('404: the account does not exist', async () => {
    const workspace = await newWorkspace()
    for (const each of [lock, unlock, remove])
      await workspace.refused(each, { id: 'nobody' }, 404, await workspace.signInOperator())
  })

  it('409: keeps the last owner of a workspace, unless the operator takes it over (M1)', async () => {
    const workspace = await newWorkspace()
    const other = await newWorkspace()
    const operator = await other.signInOperator()
    const owner = await workspace.signIn('owner')
    const second = await workspace.signIn('owner')
    await workspace.ok(lock, { id: second.id }, operator)
    const error = await workspace.refused(lock, { id: owner.id }, 409, operator)
    assert.match(error, /^No other owner of "Test" can sign in; /)
    assert.equal(
      await workspace.refused(operations.members.delete, { id: owner.id }, 409, owner),
      'A workspace needs at least one owner; make another member an owner first.',
    )
    await workspace.ok(lock, { id: owner.id, takeOver: true }, operator)
    const { workspaces } = await workspace.ok(operations.session.get, {}, operator)
    assert.equal(workspaces.find(({ id }) => id === workspace.id)?.role, 'owner')
  })
})

describe('accounts.unlock', () => {
  it('200: does not change an account that is not locked', async () => {
    const workspace = await newWorkspace()
    const operator = await workspace.signInOperator()
    const { id, options } = await joinWorkspace(workspace)
    await workspace.ok(unlock, { id }, operator)
    await workspace.ok(operations.features.list, {}, options)
  })
})

describe('accounts.delete', () => {
  it('204: deletes the account with all its rows, and keeps the name on what it created (M1)', async () => {
    const workspace = await newWorkspace()
    const operator = await workspace.signInOperator()
    const { id, email, options } = await joinWorkspace(workspace)
    await makeFeature(workspace)
    await makeLivePrompt(workspace)
    await workspace.ok(
      operations.prompts.publish,
      { slug: 'greeting', version: '1.0.0', newTag: 'mine' },
      options,
    )
    await workspace.ok(operations.members.reset, { id })
    await workspace.ok(remove, { id }, operator)
    await workspace.refused(operations.features.list, {}, 401, options)
    assert.equal((await signIn(email)).status, 401)
    assert.deepEqual((await workspace.ok(list, { q: email }, operator)).accounts, [])
    const { members } = await workspace.ok(operations.members.list)
    assert.ok(members.every((member) => member.id !== id))
    const { moves } = await workspace.ok(operations.prompts.history, { slug: 'greeting' })
    assert.equal(moves.find(({ tag }) => tag === 'mine')?.movedByName, 'Ada')
    for (const kind of ['user', 'account', 'session']) {
      const field = kind === 'user' ? 'id' : 'userId'
      const where = [{ field, operator: 'eq', connector: 'AND' as const, value: id }]
      assert.deepEqual(await app.control.people.rows.find({ kind, where }, 10), [])
    }
    await workspace.ok(operations.invitations.create, { email, role: 'viewer' })
  })

  it('400: takeOver is true or false', async () => {
    const workspace = await newWorkspace()
    const operator = await workspace.signInOperator()
    const { id } = await joinWorkspace(workspace)
    assert.match(await workspace.refused(remove, { id, takeOver: 'x' }, 400, operator), /^takeOver: /)
  })

  it('409: keeps the last owner of a workspace (M1)', async () => {
    const workspace = await newWorkspace()
    const operator = await (await newWorkspace()).signInOperator()
    const owner = await workspace.signIn('owner')
    await workspace.refused(remove, { id: owner.id }, 409, operator)
    await workspace.ok(remove, { id: owner.id, takeOver: true }, operator)
    const { members } = await workspace.ok(operations.members.list)
    assert.deepEqual(
      members.map(({ id, role }) => [id, role]),
      [[operator.id, 'owner']],
    )
  })

  it('403: is not for one’s own account, so that an operator remains (M1)', async () => {
    const workspace = await newWorkspace()
    const operator = await workspace.signInOperator()
    await workspace.refused(remove, { id: operator.id }, 403, operator)
    const { members } = app.control.scopedTo({ workspaceId: defaultWorkspaceId })
    assert.equal((await members.find(operator.id))?.role, 'owner')
  })
})
