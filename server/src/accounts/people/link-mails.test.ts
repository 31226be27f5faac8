/** Invitations and password links by email, through a real mail server. */
import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { operations } from '@plumbline/contract'
import { readableMail, startMailServer } from '../../../testing/mail-server.ts'
import { startTestApp, type TestWorkspace } from '../../../testing/test-app.ts'
import { describeEnd } from './link-mails.ts'

const mailServer = await startMailServer()
const settings = {
  PLUMBLINE_PUBLIC_URL: 'http://plumbline.example',
  SMTP_URL: mailServer.url,
  MAIL_FROM: 'Plumbline <people@example.com>',
}
const { newWorkspace, send, close } = await startTestApp({ settings })
after(async () => {
  await close()
  await mailServer.close()
})

const newAddress = () => `${crypto.randomUUID()}@example.com`
const mailsTo = (address: string) =>
  mailServer.mails.map(readableMail).filter((mail) => mail.includes(`\r\nTo: ${address}\r\n`))

async function invite(workspace: TestWorkspace, email: string, caller = {}) {
  const response = await workspace.ok(operations.invitations.create, { email, role: 'editor' }, caller)
  return { ...response, mails: mailsTo(email) }
}

describe('invitations.create', () => {
  it('mails the link, with the inviter, the workspace, the role and the expiry, as text and as HTML', async () => {
    const workspace = await newWorkspace()
    const person = await workspace.signIn('admin')
    await workspace.ok(operations.workspaces.update, { name: 'Shop <b>& co</b>' })
    const session = await workspace.ok(operations.session.get, {}, person)
    const email = newAddress()
    const { url, mail, mails, invitation } = await invite(workspace, email, person)
    assert.deepEqual(mail, { isSent: true })
    assert.equal(mails.length, 1)
    const [text, html] = mails[0]!.split('Content-Type: text/html')
    assert.match(text!, /^From: Plumbline <people@example\.com>/m)
    assert.match(text!, /^Subject: \[Plumbline\] Invitation to Shop <b>& co<\/b>/m)
    assert.ok(
      text!.includes(`${session.person!.name} invites you to the workspace “Shop <b>& co</b>” on Plumbline`),
    )
    assert.ok(text!.includes('as an editor'), text)
    assert.ok(text!.includes(url), text)
    assert.ok(text!.includes(describeEnd(new Date(invitation.expiresAt))), text)
    assert.ok(html!.includes(`href="${url}"`), html)
    assert.ok(html!.includes('Shop &lt;b&gt;&amp; co&lt;/b&gt;'), html)
  })

  it('names no inviter if an API key invites', async () => {
    const workspace = await newWorkspace()
    const { mails } = await invite(workspace, newAddress())
    assert.match(mails[0]!, /You are invited to the workspace “Test” on Plumbline/)
  })

  it('says why a mail was not sent, and returns the link anyway', async () => {
    const workspace = await newWorkspace()
    const email = newAddress()
    mailServer.unknownAddresses.add(email)
    const { url, mail, invitation } = await invite(workspace, email)
    assert.equal(mail?.isSent, false)
    assert.match(mail?.problem ?? '', /No such mailbox/)
    const token = new URL(url).searchParams.get('token')
    const page = await send({ method: 'GET', url: `/auth/invitation?token=${token}` })
    assert.equal(page.status, 200, page.text)
    const { invitations } = await workspace.ok(operations.invitations.list)
    assert.deepEqual(invitations, [invitation])
  })

  it('sends one mail for a request that is repeated with its Idempotency-Key', async () => {
    const workspace = await newWorkspace()
    const email = newAddress()
    const headers = { 'idempotency-key': crypto.randomUUID() }
    const first = await invite(workspace, email, { headers })
    const second = await invite(workspace, email, { headers })
    assert.deepEqual([second.url, second.mail, second.mails.length], [first.url, first.mail, 1])
  })
})

describe('members.reset', () => {
  it('mails the link to the member', async () => {
    const workspace = await newWorkspace()
    const member = await workspace.signIn('viewer')
    const { url, mail, expiresAt } = await workspace.ok(operations.members.reset, { id: member.id })
    assert.deepEqual(mail, { isSent: true })
    const [text] = mailsTo(member.email)
    assert.match(text!, /^Subject: \[Plumbline\] Choose a new password/m)
    assert.ok(text!.includes(url) && text!.includes(describeEnd(new Date(expiresAt))), text)
  })
})

it('an expiry is stated with weekday, date and time zone', () => {
  assert.equal(describeEnd(new Date('2026-12-06T21:05:59Z')), 'Sunday, 6 December 2026, 21:05 UTC')
})

it('sends no mail without a mail server, or without a public URL for the link', async () => {
  for (const missing of ['SMTP_URL', 'PLUMBLINE_PUBLIC_URL']) {
    const { SMTP_URL, MAIL_FROM, PLUMBLINE_PUBLIC_URL } = settings
    const other = await startTestApp({
      settings: missing === 'SMTP_URL' ? { PLUMBLINE_PUBLIC_URL } : { SMTP_URL, MAIL_FROM },
    })
    const workspace = await other.newWorkspace()
    const sentBefore = mailServer.mails.length
    const { mail } = await invite(workspace, newAddress())
    const member = await workspace.signIn('viewer')
    const reset = await workspace.ok(operations.members.reset, { id: member.id })
    assert.deepEqual([mail, reset.mail, mailServer.mails.length - sentBefore], [null, null, 0])
    await other.close()
  }
})
