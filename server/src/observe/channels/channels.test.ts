import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { after, describe, it } from 'node:test'
import { operations } from '@plumbline/contract'
import { SMTPServer } from 'smtp-server'
import { Webhook } from 'standardwebhooks'
import { startTestApp, type TestWorkspace } from '../../../testing/test-app.ts'
import { startReceiver } from '../../../testing/webhook-receiver.ts'

const { list, create, update, rotate, delete: remove, test } = operations.channels

const mails: string[] = []
const mailServer = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS'],
  onRcptTo({ address }, _session, onDone) {
    const error = Object.assign(new Error('No such mailbox'), { responseCode: 550 })
    onDone(address.startsWith('nobody@') ? error : null)
  },
  onData(stream, _session, onDone) {
    text(stream).then((mail) => {
      mails.push(mail)
      onDone(null, 'Queued')
    }, onDone)
  },
})
mailServer.listen(0, '127.0.0.1')
await once(mailServer.server, 'listening')
// Safe: it listens on a port.
const { port } = mailServer.server.address() as AddressInfo

const receiver = await startReceiver(({ path }, response) => {
  if (path === '/redirect') response.writeHead(302, { location: 'http://127.0.0.1:2/' }).end()
  else if (path === '/refuse') response.writeHead(400).end('invalid_payload')
  else if (path === '/endless') response.write('x'.repeat(5000))
  else response.end('ok')
})
after(async () => {
  await receiver.close()
  await new Promise<void>((resolve) => mailServer.close(() => resolve()))
})

const { app, newWorkspace } = await startTestApp({
  settings: {
    PLUMBLINE_PRIVATE_CHANNEL_URLS: 'true',
    PLUMBLINE_PUBLIC_URL: 'https://plumbline.example.com',
    SMTP_URL: `smtp://127.0.0.1:${port}`,
    MAIL_FROM: 'Plumbline <alerts@example.com>',
  },
})

const hook = (path = '/hook', fields: object = {}) => ({
  name: 'Ours',
  type: 'webhook',
  url: `${receiver.url}${path}`,
  ...fields,
})
const make = async (workspace: TestWorkspace, fields: object) =>
  (await workspace.ok(create, fields)).channel.id

describe('channels.create', () => {
  it('201: returns the secret of a webhook once, and shows neither it nor the address again', async () => {
    const workspace = await newWorkspace()
    const { channel, secret } = await workspace.ok(create, hook('/hook/very-secret-path'))
    assert.match(String(secret), /^whsec_[A-Za-z0-9+/=]{44}$/)
    assert.match(channel.target, /^127\.0\.0\.1:\d+\/…path$/)
    const listed = await workspace.call(list)
    assert.ok(!listed.text.includes('very-secret') && !listed.text.includes(String(secret)))
    const [storedChannel] = await app.control.scopedTo({ workspaceId: workspace.id }).channels.list()
    assert.ok(!JSON.stringify(storedChannel).includes('very-secret'))
    const slack = await workspace.ok(create, { name: 'Slack', type: 'slack', url: receiver.url })
    assert.equal(slack.secret, null)
  })

  it('400: names the missing or invalid field', async () => {
    const workspace = await newWorkspace()
    const refusals: [body: object, error: RegExp][] = [
      [{ name: 'a', type: 'webhook' }, /^url: is required/],
      [{ name: 'a', type: 'email' }, /^to: is required/],
      [{ name: 'a', type: 'email', to: ['nobody'] }, /^to\[0\]/],
      [hook('', { url: 'ftp://example.com' }), /^url: must start with https/],
      [hook('', { url: 'https://user:pass@example.com' }), /^url: must not contain a user name/],
      [{ name: 'a', type: 'pigeon' }, /^type: /],
    ]
    for (const [input, error] of refusals) assert.match(await workspace.refused(create, input, 400), error)
  })

  it('409: for a name that is in use', async () => {
    const workspace = await newWorkspace()
    await workspace.ok(create, hook())
    assert.equal(await workspace.refused(create, hook(), 409), 'There is already a channel "Ours".')
  })
})

describe('channels.test', () => {
  it("200: sends a webhook that the specification's library verifies", async () => {
    const workspace = await newWorkspace()
    const { channel, secret } = await workspace.ok(create, hook())
    const { works, answer } = await workspace.ok(test, { id: channel.id })
    assert.deepEqual([works, answer], [true, '200 ok'])
    const { body, headers } = receiver.requests.at(-1)!
    const verified = new Webhook(String(secret)).verify(body, headers as Record<string, string>)
    assert.deepEqual(verified, JSON.parse(body))
    assert.throws(() => new Webhook(String(secret)).verify(`${body} `, headers as Record<string, string>))
  })

  it("200: sends a message in Slack's format, in which no name mentions anyone", async () => {
    const workspace = await newWorkspace()
    await workspace.ok(operations.workspaces.update, { name: '<!channel> & co' })
    const id = await make(workspace, { name: 'Slack', type: 'slack', url: `${receiver.url}/slack` })
    assert.equal((await workspace.ok(test, { id })).works, true)
    const { body, headers } = receiver.requests.at(-1)!
    assert.equal(headers['webhook-id'], undefined)
    const { text: slackText, blocks } = JSON.parse(body) as { text: string; blocks: unknown[] }
    assert.match(slackText, /A test message/)
    assert.ok(blocks.length > 0 && !body.includes('<!channel>') && body.includes('&lt;!channel&gt; &amp; co'))
  })

  it('200: sends an e-mail that no machine answers', async () => {
    const workspace = await newWorkspace()
    const id = await make(workspace, { name: 'Mail', type: 'email', to: ['ada@example.com'] })
    const { works, problem } = await workspace.ok(test, { id })
    assert.ok(works, String(problem))
    const mail = mails.at(-1)!
    assert.match(mail, /^From: Plumbline <alerts@example\.com>/m)
    assert.match(mail, /^To: ada@example\.com/m)
    assert.match(mail, /^Subject: \[Plumbline\] A test message/m)
    assert.match(mail, /^Auto-Submitted: auto-generated/m)
    assert.match(mail, /https:\/\/plumbline\.example\.com\/app\/alerts/)
  })

  it('200: reports why it does not work', async () => {
    const workspace = await newWorkspace()
    const problems: [fields: object, problem: RegExp][] = [
      [hook('/refuse', { name: 'a' }), /^The receiver responded with 400 invalid_payload$/],
      [hook('/redirect', { name: 'b' }), /redirects are not followed/],
      [hook('', { name: 'c', url: 'http://127.0.0.1:2/' }), /ECONNREFUSED/],
      [{ name: 'd', type: 'email', to: ['nobody@example.com'] }, /No such mailbox/],
    ]
    for (const [fields, expected] of problems) {
      const { works, problem } = await workspace.ok(test, { id: await make(workspace, fields) })
      assert.equal(works, false)
      assert.match(String(problem), expected)
    }
  })

  it('200: does not wait for the end of an endless response', async () => {
    const workspace = await newWorkspace()
    const { works } = await workspace.ok(test, { id: await make(workspace, hook('/endless')) })
    assert.equal(works, true)
  })

  it('400: an address sealed with another secret has to be entered again', async () => {
    const workspace = await newWorkspace()
    const channels = app.control.scopedTo({ workspaceId: workspace.id }).channels
    const sealed = 'v1.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'
    const { id } = await channels.create({ name: 'x', type: 'webhook', target: 'x', sealed }, new Date())
    assert.match(await workspace.refused(test, { id }, 400), /enter it again\.$/)
    assert.match(await workspace.refused(rotate, { id }, 400), /enter it again\.$/)
    await workspace.ok(update, { id, url: `${receiver.url}/again` })
    assert.equal((await workspace.ok(test, { id })).works, true)
  })

  it('404: for an unknown channel', async () => {
    const workspace = await newWorkspace()
    for (const operation of [test, update, rotate, remove])
      await workspace.refused(operation, { id: 'none' }, 404)
  })
})

describe('channels.rotate', () => {
  it('200: also signs with the previous secret for a day', async () => {
    const workspace = await newWorkspace()
    const { channel, secret } = await workspace.ok(create, hook())
    const { secret: next } = await workspace.ok(rotate, { id: channel.id })
    assert.notEqual(next, secret)
    await workspace.ok(test, { id: channel.id })
    const { body, headers } = receiver.requests.at(-1)!
    for (const secretText of [secret, next])
      new Webhook(String(secretText)).verify(body, headers as Record<string, string>)
    assert.equal(String(headers['webhook-signature']).split(' ').length, 2)
  })

  it('200: a concurrent update does not overwrite it', async () => {
    const workspace = await newWorkspace()
    const { channel } = await workspace.ok(create, hook())
    const { id } = channel
    for (let round = 1; round <= 4; round++) {
      await workspace.ok(update, { id, isEnabled: true })
      const [{ secret }] = await Promise.all([
        workspace.ok(rotate, { id }),
        workspace.ok(update, { id, url: `${receiver.url}/moved-${round}`, isEnabled: false }),
      ])
      const { channels } = await workspace.ok(list)
      assert.equal(channels[0]!.isEnabled, false)
      await workspace.ok(test, { id })
      const { path, body, headers } = receiver.requests.at(-1)!
      assert.equal(path, `/moved-${round}`)
      new Webhook(secret).verify(body, headers as Record<string, string>)
    }
  })

  it('400: only webhooks are signed', async () => {
    const workspace = await newWorkspace()
    const id = await make(workspace, { name: 'Slack', type: 'slack', url: receiver.url })
    assert.match(await workspace.refused(rotate, { id }, 400), /only webhooks are signed/)
  })
})

describe('channels.update', () => {
  it('200: changes the address and keeps the secret, and is stopped and resumed', async () => {
    const workspace = await newWorkspace()
    const { channel, secret } = await workspace.ok(create, hook())
    const { id } = channel
    const moved = await workspace.ok(update, { id, name: 'Theirs', url: `${receiver.url}/moved` })
    assert.deepEqual([moved.channel.name, moved.channel.isEnabled], ['Theirs', true])
    await workspace.ok(test, { id })
    const { path, body, headers } = receiver.requests.at(-1)!
    assert.equal(path, '/moved')
    new Webhook(String(secret)).verify(body, headers as Record<string, string>)
    assert.equal((await workspace.ok(update, { id, isEnabled: false })).channel.isEnabled, false)
    assert.equal((await workspace.ok(update, { id, isEnabled: true })).channel.isEnabled, true)
  })

  it('400 and 409: an invalid change leaves it as it was', async () => {
    const workspace = await newWorkspace()
    const id = await make(workspace, hook())
    await make(workspace, hook('/x', { name: 'Other' }))
    await workspace.refused(update, { id, url: 'not a url' }, 400)
    await workspace.refused(update, { id, name: 'Other' }, 409)
  })
})

describe('channels.delete', () => {
  it('204: its alerts no longer notify it', async () => {
    const workspace = await newWorkspace()
    const id = await make(workspace, hook())
    const rule = { measure: 'traces', windowMinutes: 5, condition: 'above', threshold: 1 }
    const { alert } = await workspace.ok(operations.alerts.create, { name: 'a', ...rule, channelIds: [id] })
    assert.equal((await workspace.ok(list)).channels[0]?.alerts, 1)
    await workspace.ok(remove, { id })
    assert.deepEqual((await workspace.ok(list)).channels, [])
    assert.deepEqual((await workspace.ok(operations.alerts.get, { id: alert.id })).alert.channelIds, [])
  })
})
