import assert from 'node:assert/strict'
import { it } from 'node:test'
import { eventually } from '../../../fixtures/eventually.ts'
import { makeLivePrompt, makePrompt, makeVersion } from '../../../server/testing/test-app.ts'
import { createClient, RequestFailed, ServiceUnreachable } from '../index.ts'
import { render } from '../render.ts'
import { fates, startProxy, startService } from '../testing.ts'

const { url, workspace } = await startService()
const proxy = await startProxy(url)
const apiKey = workspace.key.secret
const errors: Error[] = []
const onError = (error: Error): void => void errors.push(error)
await makeLivePrompt(workspace, { text: 'Hello {{ name }}', systemText: 'Be kind.' })

it('a prompt is fetched once, even for concurrent calls, and then comes from memory, as messages', async () => {
  const plumbline = createClient({ baseUrl: proxy.url, apiKey, render })
  const from = proxy.requests.length
  const variables = { name: 'Ada' }
  const all = await Promise.all([1, 2, 3].map(() => plumbline.prompt('greeting', { variables })))
  const { messages, prompt, warning } = await plumbline.prompt('greeting', { variables })
  assert.deepEqual(messages, [
    { role: 'system', content: 'Be kind.' },
    { role: 'user', content: 'Hello Ada' },
  ])
  assert.deepEqual([prompt.version, warning, all[0]!.messages], ['1.0.0', undefined, messages])
  assert.equal(proxy.requests.length - from, 1)
})

it('each version and tag is cached separately, and a fallback comes with its warning', async () => {
  await makeVersion(workspace, { version: '2.0.0', text: 'Hi' })
  const plumbline = createClient({ baseUrl: proxy.url, apiKey })
  const { prompt } = await plumbline.prompt('greeting', { version: '2.0.0' })
  assert.equal(prompt.text, 'Hi')
  const { warning } = await plumbline.prompt('greeting', { tag: 'staging' })
  assert.match(warning!, /has no version with the tag "staging"|staging/)
})

it('a stale prompt is served at once, and the new version once it has been fetched in the background', async () => {
  await makePrompt(workspace, { slug: 'changing' })
  await makeVersion(workspace, { slug: 'changing', text: 'old', tags: ['production'] })
  const plumbline = createClient({ baseUrl: proxy.url, apiKey, promptTtlMs: 0 })
  assert.equal((await plumbline.prompt('changing')).prompt.text, 'old')
  await makeVersion(workspace, { slug: 'changing', text: 'new', tags: ['production'] })
  assert.equal((await plumbline.prompt('changing')).prompt.text, 'old')
  await eventually(async () => assert.equal((await plumbline.prompt('changing')).prompt.text, 'new'))
})

it('a prompt that has not changed is not sent again', async () => {
  const plumbline = createClient({ baseUrl: proxy.url, apiKey, promptTtlMs: 0 })
  const first = await plumbline.prompt('greeting')
  const statuses: number[] = []
  proxy.fate(async (response, forward) => {
    statuses.push((await forward()).status)
    await fates.pass(response, forward)
  })
  await plumbline.prompt('greeting')
  await eventually(async () => assert.deepEqual(statuses, [304]))
  assert.equal((await plumbline.prompt('greeting')).prompt, first.prompt)
  proxy.fate(fates.pass)
})

it('prompts are served from memory during an outage, which is reported, without a request at every call', async () => {
  const plumbline = createClient({ baseUrl: proxy.url, apiKey, promptTtlMs: 0, onError })
  await plumbline.prompt('greeting')
  proxy.fate(fates.breakOff)
  const from = proxy.requests.length
  for (let each = 0; each < 20; each++) {
    assert.equal((await plumbline.prompt('greeting')).prompt.text, 'Hello {{ name }}')
    await new Promise((resolve) => setTimeout(resolve, 2))
  }
  await eventually(async () => assert.ok(errors[0] instanceof ServiceUnreachable))
  assert.equal(proxy.requests.length - from, 1)
  proxy.fate(fates.pass)
})

it('a prompt that was never fetched rejects like the operation', async () => {
  const plumbline = createClient({ baseUrl: proxy.url, apiKey })
  await assert.rejects(plumbline.prompt('unknown'), RequestFailed)
  proxy.fate(fates.pass, fates.breakOff)
  await assert.rejects(plumbline.prompt('greeting'), ServiceUnreachable)
  assert.equal((await plumbline.prompt('greeting')).prompt.slug, 'greeting')
})
