import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { operations } from '@plumbline/contract'
import { Webhook } from 'standardwebhooks'
import { eventually } from '../../../../fixtures/eventually.ts'
import { makeLivePrompt, makeVersion, startTestApp } from '../../../testing/test-app.ts'
import { startReceiver } from '../../../testing/webhook-receiver.ts'

const receiver = await startReceiver()
after(() => receiver.close())
const { newWorkspace } = await startTestApp({
  settings: {
    PLUMBLINE_PRIVATE_CHANNEL_URLS: 'true',
    PLUMBLINE_PUBLIC_URL: 'https://plumbline.example.com',
  },
})

describe('a channel with the event prompt.published', () => {
  it('receives every move of a tag except latest, in order and signed, without any text of the prompt', async () => {
    const workspace = await newWorkspace()
    const hook = { type: 'webhook', url: `${receiver.url}/moves`, events: ['prompt.published'] }
    const { channel, secret } = await workspace.ok(operations.channels.create, { name: 'Moves', ...hook })
    await workspace.ok(operations.channels.create, {
      name: 'Alerts only',
      type: 'webhook',
      url: `${receiver.url}/alerts`,
    })
    assert.deepEqual(channel.events, ['prompt.published'])
    const { slug } = { slug: 'greeting' }
    await makeLivePrompt(workspace, { text: 'Secret one.' })
    await makeVersion(workspace, { slug, text: 'Secret two.', version: 'next' })
    await workspace.ok(operations.prompts.publish, { slug, newTag: 'production', version: 'next' })
    const messages = await eventually(async () => {
      const own = receiver.requests.filter(({ path }) => path === '/moves')
      assert.equal(own.length, 2)
      return own
    })
    const bodies = messages.map(({ body }) => JSON.parse(body))
    assert.deepEqual(
      bodies.map(({ type, data }) => [type, data.prompt.slug, data.tag, data.from, data.to]),
      [
        ['prompt.published', slug, 'production', null, '1.0.0'],
        ['prompt.published', slug, 'production', '1.0.0', 'next'],
      ],
    )
    assert.equal(bodies[1].data.movedBy.id, workspace.key.id)
    assert.equal(bodies[1].data.prompt.url, 'https://plumbline.example.com/app/prompts/greeting')
    // Safe: a channel of this type has a secret.
    const { headers, body } = messages[1]!
    new Webhook(secret as string).verify(body, headers as Record<string, string>)
    assert.ok(!receiver.requests.some(({ path, body: text }) => path === '/alerts' || /Secret/.test(text)))
  })

  it('stops receiving them when the event is removed, and an unknown event is rejected', async () => {
    const workspace = await newWorkspace()
    const { channel } = await workspace.ok(operations.channels.create, {
      name: 'Moves',
      type: 'slack',
      url: `${receiver.url}/stopped`,
      events: ['prompt.published'],
    })
    const changed = await workspace.ok(operations.channels.update, { id: channel.id, events: [] })
    assert.deepEqual(changed.channel.events, [])
    await makeLivePrompt(workspace)
    const { jobs } = await workspace.ok(operations.jobs.list, { kind: 'publication.send' })
    assert.deepEqual(jobs, [])
    const input = { id: channel.id, events: ['prompt.deleted'] }
    assert.match(await workspace.refused(operations.channels.update, input, 400), /^events\[0\]: /)
  })
})
