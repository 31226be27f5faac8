import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, it } from 'node:test'
import { gzipSync } from 'node:zlib'
import { operations } from '@plumbline/contract'
import {
  type Answer,
  cheapPasswords,
  errorOf,
  startTestApp,
  type TestWorkspace,
} from '../../../testing/test-app.ts'
import { offerSetUp } from '../../accounts/people/offer-set-up.ts'
import { hashToken } from '../../accounts/people/one-time-link.ts'

let now = new Date()
const { app, newWorkspace, send } = await startTestApp({
  settings: { PLUMBLINE_PUBLIC_URL: 'https://plumbline.example' },
  passwordHash: cheapPasswords,
  now: () => now,
})

const password = 'correct horse'
const post = (url: string, payload: object = {}, headers: Record<string, string> = {}): Promise<Answer> =>
  send({ method: 'POST', url, payload, headers: { 'sec-fetch-site': 'same-origin', ...headers } })
const options = async () => JSON.parse((await send({ method: 'GET', url: '/auth/options' })).text) as object
const cookieOf = ({ headers }: Answer) => String(headers['set-cookie']).split(';')[0]!

/** The token in a cookie, without its signature. */
const tokenOf = (cookie: string) => decodeURIComponent(cookie.split('=')[1]!).split('.')[0]!

/** A user with a password who joined by an invitation. */
async function joinWorkspace(workspace: TestWorkspace) {
  const email = `${randomUUID()}@example.com`
  const { url } = await workspace.ok(operations.invitations.create, { email, role: 'viewer' })
  const token = new URL(url).searchParams.get('token')
  const answer = await post('/auth/join', { token, name: 'Ada', password })
  assert.equal(answer.status, 200, answer.text)
  return { email, cookie: cookieOf(answer) }
}

it('bodies from clients that are not signed in are limited to 64 KB', async () => {
  for (const path of ['sign-in/email', 'join', 'reset-password', 'revoke-session']) {
    const answer = await post(`/auth/${path}`, { email: 'a'.repeat(64 * 1024) })
    assert.equal(answer.status, 413, path)
    assert.match(errorOf(answer), /larger than 65536 bytes/)
  }
  // A hundred bytes before decompression.
  const headers = {
    'sec-fetch-site': 'same-origin',
    'content-type': 'application/json',
    'content-encoding': 'gzip',
  }
  const payload = gzipSync(JSON.stringify({ email: 'a'.repeat(64 * 1024) }))
  const answer = await send({ method: 'POST', url: '/auth/sign-in/email', headers, payload })
  assert.equal(answer.status, 413)
  assert.match(errorOf(answer), /larger than 65536 bytes/)
})

describe('the set-up', () => {
  const person = { name: 'Grace', email: 'Grace@Example.com', password }

  it('creates the first owner by the startup link, once only', async () => {
    assert.deepEqual(await options(), { needsSetUp: true, oidc: null, resetsByMail: false })
    const token = app.setUpToken
    const later = await offerSetUp(app.control.people, now)
    for (const wrong of [
      { token: 'wrong' },
      { token, password: 'too short' },
      { token, password: 'aaaaaaaaaa' },
      { token, password: 'password123' },
      { token, email: 'grace' },
      { token, name: ' ' },
      {},
    ]) {
      const answer = await post('/auth/set-up', { ...person, ...wrong })
      assert.ok([400, 403].includes(answer.status), answer.text)
      errorOf(answer)
    }
    const answer = await post('/auth/set-up', { ...person, token })
    assert.equal(answer.status, 200, answer.text)
    const session = await send({ method: 'GET', url: '/session', headers: { cookie: cookieOf(answer) } })
    const {
      person: personText,
      role,
      workspace,
    } = JSON.parse(session.text) as Record<string, Record<string, string>>
    assert.deepEqual(
      [personText?.name, personText?.email, role, workspace?.id],
      ['Grace', 'grace@example.com', 'owner', 'default'],
    )
    for (const again of [token, later]) {
      const refused = await post('/auth/set-up', { ...person, email: 'x@example.com', token: again })
      assert.equal(refused.status, 403)
    }
    assert.deepEqual(await options(), { needsSetUp: false, oidc: null, resetsByMail: false })
    assert.equal(await offerSetUp(app.control.people, now), undefined)
  })
})

describe('signing in', () => {
  it('sets a cookie that scripts, other sites and plain HTTP do not receive', async () => {
    const { email } = await joinWorkspace(await newWorkspace())
    const answer = await post('/auth/sign-in/email', { email: email.toUpperCase(), password })
    assert.equal(answer.status, 200, answer.text)
    const [pair = '', ...flags] = String(answer.headers['set-cookie']).split('; ')
    assert.match(pair, /^__Secure-plumbline\.session_token=/)
    assert.deepEqual(flags.toSorted(), ['HttpOnly', 'Max-Age=2592000', 'Path=/', 'SameSite=Lax', 'Secure'])
    assert.equal(answer.headers['cache-control'], 'no-store')
  })

  it('401: answers the same for a wrong password and an unknown email address', async () => {
    const { email } = await joinWorkspace(await newWorkspace())
    const answers = [email, `${randomUUID()}@example.com`].map((each) =>
      post('/auth/sign-in/email', { email: each, password: 'wrong password' }),
    )
    for (const answer of await Promise.all(answers)) {
      assert.deepEqual([answer.status, answer.headers['www-authenticate']], [401, 'Bearer'])
      assert.equal(errorOf(answer), 'The e-mail address or the password is wrong.')
      assert.equal(answer.headers['set-cookie'], undefined)
    }
  })

  it('429: after ten attempts a minute at one user’s password', async () => {
    now = new Date(now.getTime() + 60_000)
    const email = `${randomUUID()}@example.com`
    const attempt = () => post('/auth/sign-in/email', { email, password: 'wrong password' })
    for (let index = 0; index < 10; index++) assert.equal((await attempt()).status, 401)
    const answer = await attempt()
    assert.equal(answer.status, 429)
    assert.equal(errorOf(answer), 'You are over the limit of 10 requests a minute.')
    assert.equal(answer.headers['retry-after'], '6')
    now = new Date(now.getTime() + 6_000)
    assert.equal((await attempt()).status, 401)
    now = new Date(now.getTime() + 60_000)
  })

  it("403: is refused to other sites' pages, and to programs", async () => {
    const { email } = await joinWorkspace(await newWorkspace())
    for (const headers of [{ 'sec-fetch-site': 'cross-site' }, { 'sec-fetch-site': 'none' }]) {
      const answer = await post('/auth/sign-in/email', { email, password }, headers)
      assert.equal(answer.status, 403)
      errorOf(answer)
    }
    const origin = 'https://plumbline.example'
    const older = { method: 'POST', url: '/auth/sign-in/email', payload: { email, password } } as const
    assert.equal((await send({ ...older, headers: { origin: 'https://evil.example' } })).status, 403)
    assert.equal((await send(older)).status, 403)
    assert.equal((await send({ ...older, headers: { origin } })).status, 200)
  })

  it('400: is refused for a body that lacks a field, or is not JSON', async () => {
    assert.equal((await post('/auth/sign-in/email', { email: 'x' })).status, 400)
    const headers = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' }
    const broken = await send({ method: 'POST', url: '/auth/sign-in/email', payload: '{"', headers })
    assert.equal(broken.status, 400)
    errorOf(broken)
  })

  it('404: is not possible at better-auth routes that the web app does not need', async () => {
    for (const url of [
      '/auth/sign-up/email',
      '/auth/delete-user',
      '/auth/change-email',
      '/auth/request-password-reset',
      '/auth/',
    ]) {
      const answer = await post(url, { email: 'x@example.com', password, name: 'X' })
      assert.equal(answer.status, 404, url)
      errorOf(answer)
    }
    const none = await post('/auth/sign-in/social', { provider: 'oidc', callbackURL: '/app/' })
    assert.equal(none.status, 400)
  })
})

describe('a signed-in user', () => {
  const session = (cookie: string) => send({ method: 'GET', url: '/session', headers: { cookie } })

  it('changes the name at once', async () => {
    const { cookie } = await joinWorkspace(await newWorkspace())
    await session(cookie)
    assert.equal((await post('/auth/update-user', { name: 'Ada L.' }, { cookie })).status, 200)
    assert.equal(
      (JSON.parse((await session(cookie)).text) as { person: { name: string } }).person.name,
      'Ada L.',
    )
  })

  it('changes the password with the current one, which ends all other sessions (L6)', async () => {
    const { email, cookie } = await joinWorkspace(await newWorkspace())
    const other = cookieOf(await post('/auth/sign-in/email', { email, password }))
    const change = (fields: object) =>
      post(
        '/auth/change-password',
        { currentPassword: password, newPassword: 'battery staple', revokeOtherSessions: false, ...fields },
        { cookie },
      )
    const refusals: [fields: object, sentence: RegExp][] = [
      [{ currentPassword: 'wrong password' }, /^currentPassword: The password is wrong\./],
      [{ newPassword: 'short' }, /^newPassword: must have 10 to 128 characters/],
      [{ newPassword: 'aaaaaaaaaa' }, /^newPassword: is too easy to guess\. Repeated characters/],
      [{ newPassword: 'password123' }, /^newPassword: is too easy to guess\. This is a commonly used/],
      [{ newPassword: email }, /^newPassword: is too easy to guess\. .*personal/],
    ]
    for (const [wrong, sentence] of refusals) {
      const answer = await change(wrong)
      assert.equal(answer.status, 400)
      assert.match(errorOf(answer), sentence)
    }
    const answer = await change({})
    assert.equal(answer.status, 200, answer.text)
    assert.equal((await session(other)).status, 401)
    assert.equal((await session(cookieOf(answer))).status, 200)
    assert.equal((await post('/auth/sign-in/email', { email, password })).status, 401)
    assert.equal((await post('/auth/sign-in/email', { email, password: 'battery staple' })).status, 200)
  })

  it('429: may guess at the current password ten times a minute, from any IP address (L6)', async () => {
    const { cookie } = await joinWorkspace(await newWorkspace())
    now = new Date(now.getTime() + 60_000)
    const guess = (index: number) =>
      send({
        method: 'POST',
        url: '/auth/change-password',
        payload: { currentPassword: 'wrong password', newPassword: 'battery staple' },
        headers: { 'sec-fetch-site': 'same-origin', cookie },
        remoteAddress: `10.0.0.${index}`,
      })
    for (let index = 0; index < 10; index++) assert.equal((await guess(index)).status, 400)
    const answer = await guess(10)
    assert.deepEqual(
      [answer.status, errorOf(answer)],
      [429, 'You are over the limit of 10 requests a minute.'],
    )
    now = new Date(now.getTime() + 60_000)
  })

  it('is signed out after seven days without use, and not before (L6)', async () => {
    const { cookie } = await joinWorkspace(await newWorkspace())
    const before = now
    const dayMs = 24 * 3_600_000
    for (const days of [6, 12, 18]) {
      now = new Date(Date.now() + days * dayMs)
      assert.equal((await session(cookie)).status, 200)
    }
    now = new Date(Date.now() + 25 * dayMs + 1000)
    assert.equal((await session(cookie)).status, 401)
    const listed = await send({ method: 'GET', url: '/auth/list-sessions', headers: { cookie } })
    assert.equal(listed.status, 401)
    const renamed = await post('/auth/update-user', { name: 'Eve' }, { cookie })
    assert.equal(renamed.status, 401)
    now = before
  })

  it('400: texts have limits (L1)', async () => {
    const { email, cookie } = await joinWorkspace(await newWorkspace())
    const long = 'x'.repeat(5_000)
    const refusals: [url: string, body: object, field: string][] = [
      ['/auth/update-user', { name: long }, 'name'],
      ['/auth/update-user', { name: 'x'.repeat(129) }, 'name'],
      ['/auth/update-user', { name: '' }, 'name'],
      ['/auth/update-user', { name: ' ' }, 'name'],
      ['/auth/update-user', {}, 'name'],
      ['/auth/sign-in/email', { email: `${long}@example.com`, password }, 'email'],
      ['/auth/sign-in/email', { email, password: long }, 'password'],
      ['/auth/sign-in/social', { provider: 'oidc', callbackURL: `/app/${long}` }, 'callbackURL'],
      ['/auth/sign-in/social', { provider: long, callbackURL: '/app/' }, 'provider'],
      ['/auth/revoke-session', { token: long }, 'token'],
      ['/auth/change-password', { currentPassword: long, newPassword: password }, 'currentPassword'],
      ['/auth/join', { token: long, name: 'Ada', password }, 'token'],
      ['/auth/reset-password', { token: long, password }, 'token'],
    ]
    for (const [url, body, field] of refusals) {
      const answer = await post(url, body, { cookie })
      assert.deepEqual([url, answer.status], [url, 400])
      assert.ok(errorOf(answer).startsWith(`${field}: `), errorOf(answer))
    }
    await post('/auth/update-user', { name: 'Ada', image: long }, { cookie })
    const session = await send({ method: 'GET', url: '/auth/get-session', headers: { cookie } })
    assert.equal((JSON.parse(session.text) as { user: { image: unknown } }).user.image, null)
  })

  it('signs out at once', async () => {
    const { cookie } = await joinWorkspace(await newWorkspace())
    assert.equal((await session(cookie)).status, 200)
    assert.equal((await post('/auth/sign-out', {}, { cookie })).status, 200)
    const answer = await session(cookie)
    assert.equal(answer.status, 401)
    assert.equal(errorOf(answer), 'You are signed out; sign in again.')
  })

  it('is signed out when the session is 30 days old', async () => {
    const { cookie } = await joinWorkspace(await newWorkspace())
    const before = now
    const dayMs = 24 * 3_600_000
    for (const days of [6, 12, 18, 24]) {
      now = new Date(Date.now() + days * dayMs)
      assert.equal((await session(cookie)).status, 200)
    }
    now = new Date(Date.now() + 30 * dayMs + 1000)
    assert.equal((await session(cookie)).status, 401)
    now = before
  })

  it('lists and ends the sessions', async () => {
    const { email, cookie } = await joinWorkspace(await newWorkspace())
    const other = cookieOf(await post('/auth/sign-in/email', { email, password }))
    const listed = await send({ method: 'GET', url: '/auth/list-sessions', headers: { cookie } })
    const sessions = JSON.parse(listed.text) as { token: string }[]
    assert.equal(sessions.length, 2)
    // Section 4: neither the table nor the list has a token that can sign in.
    const token = hashToken(tokenOf(other))
    assert.deepEqual(
      sessions.map((each) => each.token).toSorted(),
      [hashToken(tokenOf(cookie)), token].toSorted(),
    )
    const stranger = (await joinWorkspace(await newWorkspace())).cookie
    assert.equal((await post('/auth/revoke-session', { token }, { cookie: stranger })).status, 200)
    assert.equal((await session(other)).status, 200)
    assert.equal((await post('/auth/revoke-session', { token }, { cookie })).status, 200)
    assert.deepEqual([(await session(other)).status, (await session(cookie)).status], [401, 200])
  })

  it('403: gets no password link by mail from a service without a mail server', async () => {
    const answer = await post('/auth/forgot-password', { email: 'ada@example.com' })
    assert.equal(answer.status, 403)
    assert.match(errorOf(answer), /ask an admin of your workspace/)
  })

  it('ends all sessions but its own', async () => {
    const { email, cookie } = await joinWorkspace(await newWorkspace())
    const stranger = (await joinWorkspace(await newWorkspace())).cookie
    const others = [1, 2].map(() => post('/auth/sign-in/email', { email, password }))
    const cookies = (await Promise.all(others)).map(cookieOf)
    assert.equal((await post('/auth/revoke-other-sessions', {}, { cookie })).status, 200)
    for (const each of cookies) assert.equal((await session(each)).status, 401)
    assert.deepEqual([(await session(cookie)).status, (await session(stranger)).status], [200, 200])
  })

  it('400: must name the session to end', async () => {
    const { cookie } = await joinWorkspace(await newWorkspace())
    assert.equal(errorOf(await post('/auth/revoke-session', {}, { cookie })), 'token: is required')
  })

  it('401: is not signed in without the cookie', async () => {
    for (const url of [
      '/auth/update-user',
      '/auth/change-password',
      '/auth/revoke-session',
      '/auth/revoke-other-sessions',
    ]) {
      const answer = await post(url, {
        name: 'x',
        currentPassword: password,
        newPassword: password,
        token: 'x',
      })
      assert.equal(answer.status, 401, `${url}: ${answer.text}`)
      errorOf(answer)
    }
  })
})
