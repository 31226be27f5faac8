// One control plane is enough: invitations and members have tests of their own on both.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, it } from 'node:test'
import { operations } from '@plumbline/contract'
import { cheapPasswords, startTestApp, type TestWorkspace } from '../../../testing/test-app.ts'

const { list, create, delete: withdraw, accept } = operations.invitations
let now = new Date()
/** Runs when a request is about to set a password, once its invitation is known to be open. */
let beforeHash = async (): Promise<void> => {}
const { newWorkspace, send } = await startTestApp({
  now: () => now,
  passwordHash: {
    ...cheapPasswords,
    async hash(password) {
      await beforeHash()
      return cheapPasswords.hash(password)
    },
  },
})

const newAddress = () => `${randomUUID()}@example.com`
const tokenOf = (url: string) => new URL(url).searchParams.get('token') ?? ''
const invite = async (workspace: TestWorkspace, email: string) => {
  const { invitation, url } = await workspace.ok(create, { email, role: 'editor' })
  return { ...invitation, token: tokenOf(url) }
}
const join = (token: string, password = 'correct horse') =>
  send({
    method: 'POST',
    url: '/auth/join',
    headers: { 'sec-fetch-site': 'same-origin' },
    payload: { token, name: 'Ada', password },
  })

describe('invitations.create', () => {
  it('201: returns a link by which a new user joins and is signed in, once', async () => {
    const workspace = await newWorkspace()
    const email = newAddress()
    const { url, invitation } = await workspace.ok(create, { email: email.toUpperCase(), role: 'editor' })
    assert.deepEqual([invitation.email, invitation.role], [email, 'editor'])
    assert.equal(new URL(url).pathname, '/app/join')
    const token = tokenOf(url)
    const invitationPage = await send({ method: 'GET', url: `/auth/invitation?token=${token}` })
    assert.deepEqual(JSON.parse(invitationPage.text), {
      invitation: { email, role: 'editor', workspace: 'Test', isKnown: false },
    })
    for (const password of ['too short', 'aaaaaaaaaa', 'password123'])
      assert.equal((await join(token, password)).status, 400)
    const response = await join(token)
    assert.equal(response.status, 200, response.text)
    const cookie = String(response.headers['set-cookie']).split(';')[0]!
    const session = await workspace.ok(operations.session.get, {}, { key: null, headers: { cookie } })
    assert.deepEqual([session.person?.email, session.person?.name, session.role], [email, 'Ada', 'editor'])
    assert.equal((await join(token)).status, 403)
    assert.deepEqual((await workspace.ok(list)).invitations, [])
  })

  it('201: invalidates an earlier invitation of the same email address', async () => {
    const workspace = await newWorkspace()
    const email = newAddress()
    const [first, second] = [await invite(workspace, email), await invite(workspace, email)]
    assert.equal((await join(first.token)).status, 403)
    assert.equal((await join(second.token)).status, 200)
  })

  it('201: two invitations of one address that are used at once create one account', async () => {
    const email = newAddress()
    const tokens = [await invite(await newWorkspace(), email), await invite(await newWorkspace(), email)]
    const { promise: bothAreThere, resolve } = Promise.withResolvers<void>()
    let waiting = 0
    beforeHash = async () => {
      waiting += 1
      if (waiting === 2) resolve()
      await bothAreThere
    }
    const responses = await Promise.all(tokens.map(({ token }) => join(token)))
    beforeHash = async () => {}
    const [first, second] = responses.toSorted((a, b) => a.status - b.status)
    assert.deepEqual([first?.status, second?.status], [200, 409], second?.text)
    assert.equal(JSON.parse(second!.text).error, `There is already an account "${email}".`)
  })

  it('400: the email address or role is invalid', async () => {
    const workspace = await newWorkspace()
    for (const email of ['', 'ada', 'ada@', 'a da@example.com'])
      assert.match(await workspace.refused(create, { email, role: 'viewer' }, 400), /^email: /)
    assert.match(await workspace.refused(create, { email: newAddress(), role: 'x' }, 400), /^role: /)
  })

  it('403: lets only owners invite owners', async () => {
    const workspace = await newWorkspace()
    const input = { email: newAddress(), role: 'owner' }
    for (const caller of [await workspace.signIn('admin'), {}])
      await workspace.refused(create, input, 403, caller)
    await workspace.ok(create, input, await workspace.signIn('owner'))
  })

  it("409: the email address is a member's", async () => {
    const workspace = await newWorkspace()
    const { email } = await workspace.signIn('viewer')
    const error = await workspace.refused(create, { email, role: 'viewer' }, 409)
    assert.equal(error, `There is already a member "${email}".`)
  })
})

describe('invitations.list', () => {
  it('200: lists open invitations, newest first, without tokens', async () => {
    const workspace = await newWorkspace()
    const first = await invite(workspace, newAddress())
    now = new Date(now.getTime() + 1000)
    const second = await invite(workspace, newAddress())
    const answer = await workspace.call(list)
    assert.ok(!answer.text.includes(first.token))
    const { invitations } = await workspace.ok(list)
    assert.deepEqual(
      invitations.map(({ id }) => id),
      [second.id, first.id],
    )
  })
})

describe('invitations.delete', () => {
  it('204: invalidates the link', async () => {
    const workspace = await newWorkspace()
    const { id, token } = await invite(workspace, newAddress())
    await workspace.ok(withdraw, { id })
    assert.equal((await join(token)).status, 403)
    assert.equal((await send({ method: 'GET', url: `/auth/invitation?token=${token}` })).status, 403)
  })

  it('404: the invitation does not exist, or belongs to another workspace', async () => {
    const [workspace, other] = [await newWorkspace(), await newWorkspace()]
    const { id } = await invite(other, newAddress())
    for (const each of ['nothing', id]) await workspace.refused(withdraw, { id: each }, 404)
  })
})

describe('invitations.accept', () => {
  it('200: makes a user with an account a member', async () => {
    const [workspace, other] = [await newWorkspace(), await newWorkspace()]
    const person = await other.signIn('viewer')
    const { token } = await invite(workspace, person.email)
    assert.equal((await join(token)).status, 409)
    const { workspace: joinedWorkspace } = await workspace.ok(accept, { token }, person)
    assert.deepEqual(joinedWorkspace, { id: workspace.id, name: 'Test', role: 'editor' })
    const headers = { ...person.headers, 'plumbline-workspace': workspace.id }
    await workspace.ok(operations.features.list, {}, { ...person, headers })
    await workspace.refused(accept, { token }, 403, person)
  })

  it('400: needs the token', async () => {
    const workspace = await newWorkspace()
    assert.match(await workspace.refused(accept, {}, 400, await workspace.signIn()), /^token: /)
  })

  it('403: refuses another user, a wrong token, and an old one', async () => {
    const workspace = await newWorkspace()
    const [person, other] = [await workspace.signIn(), await workspace.signIn()]
    const { token } = await invite(workspace, person.email)
    assert.match(await workspace.refused(accept, { token }, 403, other), /sign in with that address/)
    await workspace.refused(accept, { token: `${token}x` }, 403, person)
    const before = now
    now = new Date(now.getTime() + 7 * 24 * 3_600_000 + 1)
    const { headers } = person
    await workspace.refused(accept, { token }, 401, { key: null, headers })
    now = before
    await workspace.ok(accept, { token }, person)
  })
})
