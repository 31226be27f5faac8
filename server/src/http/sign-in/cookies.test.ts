/** Requests with a session cookie: which cookies are accepted, and which workspace they select. */
// One control plane is enough: this is about HTTP, not about what is stored.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { operations } from '@plumbline/contract'
import { startTestApp } from '../../../testing/test-app.ts'

const { newWorkspace, send } = await startTestApp()

describe('a request with a cookie', () => {
  const { create, list } = operations.features
  const feature = { slug: 'chat', name: 'Chat' }

  it('403: changes something, and was not sent by a page of this service', async () => {
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
    for (const headers of foreign) {
      const options = { key: null, headers: { cookie, ...headers } }
      assert.match(await workspace.refused(create, feature, 403, options), /^Only a page of this service/)
      await workspace.ok(list, {}, options)
    }
    await workspace.ok(create, feature, {
      key: null,
      headers: { cookie, host: 'here', origin: 'https://here' },
    })
  })

  it('uses the API key if it has one too', async () => {
    const workspace = await newWorkspace()
    const { headers } = await workspace.signIn('viewer')
    const { cookie } = headers as { cookie: string }
    await workspace.ok(create, feature, { headers: { cookie } })
  })

  it('401: names a session that does not exist, or has an invalid signature', async () => {
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
    const response = await send({ method: 'GET', url: '/session', headers: { cookie: `other=1; ${cookie}` } })
    assert.equal(response.status, 200)
  })

  it('is about the workspace of its header, else of its cookie, else the oldest of the user', async () => {
    const [first, two, foreign] = [await newWorkspace(), await newWorkspace(), await newWorkspace()]
    const [person, own] = [await first.signIn('viewer'), await newWorkspace()]
    await own.join(person, 'owner')
    const readWorkspace = async (headers: Record<string, string>) => {
      const { workspace, role } = await first.ok(
        operations.session.get,
        {},
        { ...person, headers: { ...person.headers, ...headers } },
      )
      return [workspace?.id, role]
    }
    const { cookie } = person.headers as { cookie: string }
    assert.deepEqual(await readWorkspace({}), [first.id, 'viewer'])
    assert.deepEqual(await readWorkspace({ 'plumbline-workspace': own.id }), [own.id, 'owner'])
    assert.deepEqual(await readWorkspace({ cookie: `${cookie}; plumbline-workspace=${own.id}` }), [
      own.id,
      'owner',
    ])
    assert.deepEqual(await readWorkspace({ cookie: `${cookie}; plumbline-workspace=${two.id}` }), [
      first.id,
      'viewer',
    ])
    const headers = { ...person.headers, 'plumbline-workspace': foreign.id }
    const error = await first.refused(operations.session.get, {}, 403, { ...person, headers })
    assert.equal(error, 'You are not a member of this workspace.')
  })
})
