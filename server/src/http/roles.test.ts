/** What people may do: every operation of the contract, asked by every role. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  allOperations,
  type NeededRole,
  type Operation,
  operations,
  type Role,
  roles,
} from '@plumbline/contract'
import { errorOf, startTestApp, type TestWorkspace } from '../testing.ts'

const { newWorkspace, send } = await startTestApp()

/** What roles are for, beside what the contract states of each operation. */
const settings = /^(?:keys|prices|members|invitations|workspaces|connections|retention)\./

const admittedTo = (needed: NeededRole): string =>
  needed === 'anyone'
    ? 'everybody who is signed in'
    : `${needed}s${needed === 'operator' ? '' : ' and above'}`

/** M1: an owner of some workspace has no power over people of others. */
async function refusesOwnersElsewhere(workspace: TestWorkspace, operation: Operation): Promise<void> {
  for (const role of [undefined, ...roles] as (Role | undefined)[]) {
    const error = await workspace.refused(operation, {}, 403, await workspace.signIn(role))
    assert.equal(error, 'Only an operator of this service may do this: an owner of its first workspace.')
  }
  assert.notEqual((await workspace.call(operation, {}, await workspace.signInOperator())).status, 403)
}

describe('every operation', () => {
  for (const operation of allOperations) {
    const { name, role: needed, scope } = operation

    it(`${name} states a role that fits its scope`, () => {
      if (needed === 'anyone' || needed === 'operator') return
      assert.ok(roles.includes(needed))
      if (scope !== 'read') assert.notEqual(needed, 'viewer')
      if (scope === 'operate') assert.equal(needed, 'owner')
      if (scope === 'manage' && settings.test(name))
        assert.ok(roles.indexOf(needed) >= roles.indexOf('admin'))
    })

    it(`${name} is for ${admittedTo(needed)}`, async (): Promise<void> => {
      const workspace = await newWorkspace()
      if (needed === 'operator') return refusesOwnersElsewhere(workspace, operation)
      for (const role of [undefined, ...roles] as (Role | undefined)[]) {
        const person = await workspace.signIn(role)
        const answer = await workspace.call(operation, {}, person)
        const isAllowed: boolean =
          needed === 'anyone' || (role !== undefined && roles.indexOf(role) >= roles.indexOf(needed))
        assert.notEqual(answer.status, 401)
        assert.equal(
          answer.status !== 403,
          isAllowed,
          `${role}: ${answer.status} ${answer.text.slice(0, 200)}`,
        )
        if (isAllowed) continue
        const words: string | RegExp =
          role === undefined
            ? /^You are in no workspace/
            : `Your role in this workspace is "${role}", and this needs "${needed}".`
        if (typeof words === 'string') assert.equal(errorOf(answer), words)
        else assert.match(errorOf(answer), words)
      }
    })
  }
})

describe('a request with a cookie', () => {
  const { create, list } = operations.features
  const feature = { slug: 'chat', name: 'Chat' }

  it('403: that changes something, and was not sent by a page of this service', async () => {
    const workspace = await newWorkspace()
    const { headers } = await workspace.signIn('editor')
    const { cookie } = headers as { cookie: string }
    const foreign: Record<string, string>[] = [
      {},
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'none' },
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { 'sec-fetch-site': 'cross-site', origin: 'http://localhost:80' },
    ]
    for (const sent of foreign) {
      const options = { key: null, headers: { cookie, ...sent } }
      assert.match(await workspace.refused(create, feature, 403, options), /^Only a page of this service/)
      await workspace.ok(list, {}, options)
    }
    await workspace.ok(create, feature, {
      key: null,
      headers: { cookie, host: 'here', origin: 'https://here' },
    })
  })

  it('goes by the key where it has one too', async () => {
    const workspace = await newWorkspace()
    const { headers } = await workspace.signIn('viewer')
    const { cookie } = headers as { cookie: string }
    await workspace.ok(create, feature, { headers: { cookie } })
  })

  it('401: of a session that does not exist, or whose signature is not ours', async () => {
    const { headers } = await (await newWorkspace()).signIn('owner')
    const { cookie = '' } = headers
    const [name, value = ''] = cookie.split('=')
    const wrong = [
      `${name}=`,
      `${name}=x`,
      `${name}=${value.replace(/^./, (first) => (first === 'a' ? 'b' : 'a'))}`,
      `${name}=%`,
      `__Secure-${cookie}`,
      `other=1; ${name}=${value.slice(0, -6)}`,
    ]
    for (const each of wrong)
      assert.equal(
        (await send({ method: 'GET', url: '/session', headers: { cookie: each } })).status,
        401,
        each,
      )
    const found = await send({ method: 'GET', url: '/session', headers: { cookie: `other=1; ${cookie}` } })
    assert.equal(found.status, 200)
  })

  it('is about the workspace of its header, else of its cookie, else the oldest of the person', async () => {
    const [one, two, foreign] = [await newWorkspace(), await newWorkspace(), await newWorkspace()]
    const [person, own] = [await one.signIn('viewer'), await newWorkspace()]
    await own.join(person, 'owner')
    const chosen = async (headers: Record<string, string>) => {
      const { workspace, role } = await one.ok(
        operations.session.get,
        {},
        { ...person, headers: { ...person.headers, ...headers } },
      )
      return [workspace?.id, role]
    }
    const { cookie } = person.headers as { cookie: string }
    assert.deepEqual(await chosen({}), [one.id, 'viewer'])
    assert.deepEqual(await chosen({ 'plumbline-workspace': own.id }), [own.id, 'owner'])
    assert.deepEqual(await chosen({ cookie: `${cookie}; plumbline-workspace=${own.id}` }), [own.id, 'owner'])
    assert.deepEqual(await chosen({ cookie: `${cookie}; plumbline-workspace=${two.id}` }), [one.id, 'viewer'])
    const headers = { ...person.headers, 'plumbline-workspace': foreign.id }
    const error = await one.refused(operations.session.get, {}, 403, { ...person, headers })
    assert.equal(error, 'You are not a member of this workspace.')
  })
})
