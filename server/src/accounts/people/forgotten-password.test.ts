/** Password links by email, through a real mail server. */
import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { operations } from '@plumbline/contract'
import { readableMail, startMailServer } from '../../../testing/mail-server.ts'
import { cheapPasswords, errorOf, startTestApp } from '../../../testing/test-app.ts'

const mailServer = await startMailServer()

let now = new Date()
const { app, newWorkspace, send, close } = await startTestApp({
  settings: {
    PLUMBLINE_PUBLIC_URL: 'http://plumbline.example',
    SMTP_URL: mailServer.url,
    MAIL_FROM: 'Plumbline <people@example.com>',
  },
  now: () => now,
  passwordHash: cheapPasswords,
})
after(async () => {
  await close()
  await mailServer.close()
})

const post = (url: string, payload: object, headers: Record<string, string> = {}) =>
  send({ method: 'POST', url, payload, headers: { 'sec-fetch-site': 'same-origin', ...headers } })

/** Requests a link, and returns the mails that were sent once all are on their way. */
async function forget(email: string, headers: Record<string, string> = {}) {
  const sentBefore = mailServer.mails.length
  const answer = await post('/auth/forgot-password', { email }, headers)
  await app.mailed()
  return { answer, sent: mailServer.mails.slice(sentBefore) }
}

async function joinWorkspace() {
  const workspace = await newWorkspace()
  const email = `${crypto.randomUUID()}@example.com`
  const { url } = await workspace.ok(operations.invitations.create, { email, role: 'viewer' })
  const token = new URL(url).searchParams.get('token')
  const answer = await post('/auth/join', { token, name: 'Ada', password: 'quiet harbor lantern' })
  assert.equal(answer.status, 200, answer.text)
  const cookie = String(answer.headers['set-cookie']).split(';')[0]!
  const { person } = await workspace.ok(operations.session.get, {}, { key: null, headers: { cookie } })
  return { workspace, email, cookie, id: person!.id }
}

const tokenIn = (mail = '') => /\/app\/reset\?token=([\w-]+)/.exec(readableMail(mail))?.[1]

describe('POST /auth/forgot-password', () => {
  it('mails a link that works once and ends every session (L6)', async () => {
    const { email, cookie } = await joinWorkspace()
    const options = await send({ method: 'GET', url: '/auth/options' })
    assert.equal((JSON.parse(options.text) as { resetsByMail: boolean }).resetsByMail, true)
    const { answer, sent: mails } = await forget(email.toUpperCase(), { host: 'evil.example' })
    assert.deepEqual([answer.status, answer.text], [200, '{}'])
    assert.equal(mails.length, 1)
    assert.match(mails[0]!, new RegExp(`^To: ${email}`, 'm'))
    assert.match(mails[0]!, /^Subject: \[Plumbline\] Choose a new password/m)
    assert.doesNotMatch(mails[0]!, /evil/)
    const token = tokenIn(mails[0])
    assert.equal((await post('/auth/reset-password', { token, password: 'aaaaaaaaaa' })).status, 400)
    const reset = await post('/auth/reset-password', { token, password: 'copper lantern 42' })
    assert.equal(reset.status, 200, reset.text)
    assert.equal((await post('/auth/reset-password', { token, password: 'copper lantern 43' })).status, 403)
    assert.equal((await send({ method: 'GET', url: '/session', headers: { cookie } })).status, 401)
  })

  it('answers the same, and sends no mail, for an unknown address, a locked account and another sign-in method', async () => {
    const joinedPerson = await joinWorkspace()
    const { answer: first } = await forget(joinedPerson.email)
    const locked = await joinWorkspace()
    await locked.workspace.ok(
      operations.accounts.lock,
      { id: locked.id },
      await locked.workspace.signInOperator(),
    )
    const elsewhere = await joinWorkspace()
    const where = [{ field: 'userId', operator: 'eq', connector: 'AND' as const, value: elsewhere.id }]
    await app.control.people.rows.change({ kind: 'account', where }, { providerId: 'oidc' })
    for (const email of [`${crypto.randomUUID()}@example.com`, locked.email, elsewhere.email]) {
      const { answer, sent: mails } = await forget(email)
      assert.deepEqual([answer.status, answer.text, mails], [first.status, first.text, []])
      assert.deepEqual(Object.keys(answer.headers), Object.keys(first.headers))
    }
  })

  it('mails a user at most once in five minutes, with a link that works for an hour', async () => {
    const { email } = await joinWorkspace()
    const { sent: mails } = await forget(email)
    assert.equal((await forget(email)).sent.length, 0)
    now = new Date(now.getTime() + 5 * 60_000 + 1)
    assert.equal((await forget(email)).sent.length, 1)
    now = new Date(now.getTime() + 3_600_000)
    const late = { token: tokenIn(mails[0]), password: 'copper lantern 42' }
    assert.equal((await post('/auth/reset-password', late)).status, 403)
  })

  it('400: needs an email address', async () => {
    for (const body of [{}, { email: 'ada' }, { email: `${'x'.repeat(300)}@example.com` }]) {
      const answer = await post('/auth/forgot-password', body)
      assert.equal(answer.status, 400)
      assert.match(errorOf(answer), /^email: /)
    }
  })

  it("403: is refused to other sites' pages", async () => {
    const answer = await post(
      '/auth/forgot-password',
      { email: 'a@example.com' },
      { 'sec-fetch-site': 'none' },
    )
    assert.equal(answer.status, 403)
  })

  it('429: after ten requests a minute for one email address', async () => {
    const email = `${crypto.randomUUID()}@example.com`
    for (let index = 0; index < 10; index++) assert.equal((await forget(email)).answer.status, 200)
    assert.equal((await forget(email)).answer.status, 429)
  })
})
