/** Signs in with OpenID Connect at a real provider; only its login form is answered by the test. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, describe, it } from 'node:test'
import { operations } from '@plumbline/contract'
import Provider from 'oidc-provider'
import { errorOf, startTestApp, type TestWorkspace } from '../../../testing/test-app.ts'

const origin = 'http://plumbline.example'
let isAway = true
let answerOf: RequestListener = () => {}
const web = createServer((request, response) => {
  if (isAway) response.writeHead(503).end()
  else answerOf(request, response)
})
await new Promise<void>((onDone) => web.listen(0, '127.0.0.1', onDone))
const issuer = `http://127.0.0.1:${(web.address() as AddressInfo).port}`

/** The account that logs in at the provider next. */
let account = { sub: 'none', email: 'none@example.com', email_verified: true, name: 'None' }
const provider = new Provider(issuer, {
  clients: [
    { client_id: 'plumbline', client_secret: 'a secret', redirect_uris: [`${origin}/auth/callback/oidc`] },
  ],
  claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
  conformIdTokenClaims: false,
  pkce: { required: () => true },
  findAccount: (_context, sub) => ({ accountId: sub, claims: async () => account }),
  features: { devInteractions: { enabled: false } },
  interactions: { url: (_context, { uid }) => `/login/${uid}` },
  cookies: { keys: ['a key'] },
})
const protocol = provider.callback()
answerOf = async (request, response) => {
  if (request.url?.startsWith('/login/') !== true) return protocol(request, response)
  const { prompt, params, session, grantId } = await provider.interactionDetails(request, response)
  if (prompt.name === 'login')
    return provider.interactionFinished(request, response, { login: { accountId: account.sub } })
  const grant =
    (grantId === undefined ? undefined : await provider.Grant.find(grantId)) ??
    new provider.Grant({ accountId: session?.accountId ?? '', clientId: String(params.client_id) })
  grant.addOIDCScope('openid email profile')
  await provider.interactionFinished(request, response, { consent: { grantId: await grant.save() } })
}

const { newWorkspace, send } = await startTestApp({
  settings: {
    PLUMBLINE_PUBLIC_URL: origin,
    OIDC_ISSUER: issuer,
    OIDC_CLIENT_ID: 'plumbline',
    OIDC_CLIENT_SECRET: 'a secret',
    OIDC_NAME: 'Example',
    OIDC_ROLE: 'viewer',
  },
})
after(() => web.close())

const begin = () =>
  send({
    method: 'POST',
    url: '/auth/sign-in/social',
    headers: { 'sec-fetch-site': 'same-origin' },
    payload: { provider: 'oidc', callbackURL: '/app/' },
  })

const pairsOf = (cookies: unknown) =>
  [cookies].flat().flatMap((each) => (each === undefined ? [] : [String(each).split(';')[0]!]))

/** Follows the redirects as a browser does, with the cookies of the provider and of the service. */
async function signInAs(who: Partial<typeof account>) {
  account = {
    sub: randomUUID(),
    email: `${randomUUID()}@example.com`,
    email_verified: true,
    name: 'Ada',
    ...who,
  }
  const started = await begin()
  assert.equal(started.status, 200, started.text)
  const ours = pairsOf(started.headers['set-cookie'])
  const theirs = new Map<string, string>()
  let { url } = JSON.parse(started.text) as { url: string }
  while (!url.startsWith(origin)) {
    const cookie = [...theirs].map(([name, value]) => `${name}=${value}`).join('; ')
    const answer = await fetch(url, { redirect: 'manual', headers: { cookie } })
    for (const pair of pairsOf(answer.headers.getSetCookie())) {
      const index = pair.indexOf('=')
      theirs.set(pair.slice(0, index), pair.slice(index + 1))
    }
    const next = answer.headers.get('location')
    assert.ok(next !== null, `${url}: ${answer.status} ${(await answer.text()).slice(0, 500)}`)
    url = new URL(next, url).href
  }
  const back = await send({
    method: 'GET',
    url: url.slice(origin.length),
    headers: { cookie: ours.join('; ') },
  })
  const session = pairsOf(back.headers['set-cookie']).find((pair) =>
    pair.startsWith('plumbline.session_token='),
  )
  return { status: back.status, location: back.headers.location, cookie: session ?? '', url }
}

const sessionOf = (workspace: TestWorkspace, cookie: string) =>
  workspace.ok(operations.session.get, {}, { key: null, headers: { cookie } })

describe('an identity provider', () => {
  it('503: an unavailable provider does not prevent signing in with a password', async () => {
    const answer = await begin()
    assert.equal(answer.status, 503)
    assert.equal(errorOf(answer), 'The identity provider cannot be reached now; try again soon.')
    const payload = { email: 'nobody@example.com', password: 'wrong password' }
    const headers = { 'sec-fetch-site': 'same-origin' }
    assert.equal((await send({ method: 'POST', url: '/auth/sign-in/email', headers, payload })).status, 401)
    isAway = false
    assert.equal((await begin()).status, 200)
  })

  it('is known to the web app by its name', async () => {
    const { text } = await send({ method: 'GET', url: '/auth/options' })
    assert.deepEqual((JSON.parse(text) as { oidc: object }).oidc, { name: 'Example' })
  })

  it('signs in a new user, who gets the configured role in the first workspace', async () => {
    const workspace = await newWorkspace()
    const { status, location, cookie } = await signInAs({ name: 'Ada' })
    assert.deepEqual([status, location], [302, '/app/'])
    const session = await sessionOf(workspace, cookie)
    assert.deepEqual([session.person?.name, session.person?.email], ['Ada', account.email])
    assert.deepEqual([session.workspace?.id, session.role], ['default', 'viewer'])
    const again = await signInAs({ sub: account.sub, email: account.email })
    assert.equal((await sessionOf(workspace, again.cookie)).person?.id, session.person?.id)
  })

  it('signs in an existing user with the same email address, if the provider has verified it', async () => {
    const workspace = await newWorkspace()
    const { id, email } = await workspace.signIn('admin')
    const foreign = await signInAs({ email, email_verified: false })
    assert.equal(foreign.cookie, '')
    assert.match(foreign.location ?? '', /^\/app\/sign-in\?error=/)
    const { cookie } = await signInAs({ email })
    const session = await sessionOf(workspace, cookie)
    assert.deepEqual([session.person?.id, session.role], [id, 'admin'])
  })

  it('ends access that someone else may have set up for the address by an invitation', async () => {
    const workspace = await newWorkspace()
    const email = `${randomUUID()}@example.com`
    const post = (url: string, payload: object) =>
      send({ method: 'POST', url, headers: { 'sec-fetch-site': 'same-origin' }, payload })
    // The inviter has the link, and can open it in place of the invited user.
    const { url } = await workspace.ok(operations.invitations.create, { email, role: 'viewer' })
    const password = 'seven quiet harbor lanterns'
    const response = await post('/auth/join', {
      token: new URL(url).searchParams.get('token'),
      name: 'Ada',
      password,
    })
    assert.equal(response.status, 200, response.text)
    const [stranger = ''] = pairsOf(response.headers['set-cookie'])
    const { person } = await sessionOf(workspace, stranger)
    const sub = randomUUID()
    const { cookie } = await signInAs({ sub, email })
    assert.equal((await sessionOf(workspace, cookie)).person?.id, person?.id)
    const asStranger = { key: null, headers: { cookie: stranger } }
    await workspace.refused(operations.session.get, {}, 401, asStranger)
    assert.equal((await post('/auth/sign-in/email', { email, password })).status, 401)
    // An admin of the workspace cannot set one up afterwards either.
    assert.equal(
      await workspace.refused(operations.members.reset, { id: person!.id }, 403),
      'This member signs in with Example, and has no password to reset.',
    )
  })

  it('keeps a proven password, such as that of the set-up, which a link replaces', async () => {
    const workspace = await newWorkspace()
    const { id, email } = await workspace.signIn('viewer')
    const sub = randomUUID()
    assert.notEqual((await signInAs({ sub, email })).cookie, '')
    const { url } = await workspace.ok(operations.members.reset, { id })
    const [token, password] = [new URL(url).searchParams.get('token'), 'seven quiet harbor lanterns']
    const post = (path: string, payload: object) =>
      send({ method: 'POST', url: path, headers: { 'sec-fetch-site': 'same-origin' }, payload })
    assert.equal((await post('/auth/reset-password', { token, password })).status, 200)
    assert.notEqual((await signInAs({ sub, email })).cookie, '')
    assert.equal((await post('/auth/sign-in/email', { email, password })).status, 200)
  })

  it('signs nobody in to a locked account (M1)', async () => {
    const workspace = await newWorkspace()
    const { id, email } = await workspace.signIn('viewer')
    const { lock, unlock } = operations.accounts
    const operator = await workspace.signInOperator()
    const sub = randomUUID()
    assert.notEqual((await signInAs({ sub, email })).cookie, '')
    await workspace.ok(lock, { id }, operator)
    const { cookie, location } = await signInAs({ sub, email })
    assert.equal(cookie, '')
    assert.match(location ?? '', /^\/app\/sign-in\?error=ACCOUNT_LOCKED&/)
    await workspace.ok(unlock, { id }, operator)
    assert.notEqual((await signInAs({ sub, email })).cookie, '')
  })

  it('cannot be made to redirect elsewhere, and its response works only in the browser that started the sign-in', async () => {
    const headers = { 'sec-fetch-site': 'same-origin' }
    for (const callbackURL of ['https://evil.example/', '//evil.example', '/\\evil.example']) {
      const payload = { provider: 'oidc', callbackURL }
      const answer = await send({ method: 'POST', url: '/auth/sign-in/social', headers, payload })
      assert.equal(answer.status, 403, callbackURL)
    }
    const { url } = await signInAs({})
    const stolen = await send({ method: 'GET', url: url.slice(origin.length) })
    assert.match(stolen.headers.location ?? '', /^\/app\/sign-in\?error=/)
    assert.equal(stolen.headers['set-cookie'], undefined)
  })
})
