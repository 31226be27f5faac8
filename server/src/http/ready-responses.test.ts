/** Issue 16, part 5: the second request for a prompt bypasses the router, with no visible difference. */
// One control plane is enough: where several nodes share one, every request is routed.
import assert from 'node:assert/strict'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { request as sendRequest } from 'node:http'
import { after, describe, it } from 'node:test'
import { operations } from '@plumbline/contract'
import { eventually } from '../../../fixtures/eventually.ts'
import { makeLivePrompt, makeVersion, startTestApp, type TestWorkspace } from '../../testing/test-app.ts'

const perMinute = 40
const { newWorkspace, listen, send } = await startTestApp({
  settings: { PLUMBLINE_RATE_LIMIT_PER_MINUTE: String(perMinute) },
})
const base = new URL(await listen())

/** Fastify publishes each request that it has routed to a handler on this channel. */
const channel = 'tracing:fastify.request.handler:start'
let routed = 0
const countRouted = (): void => {
  routed += 1
}
subscribe(channel, countRouted)
after(() => unsubscribe(channel, countRouted))

interface Response {
  readonly status: number
  readonly headers: readonly string[]
  readonly text: string
  readonly isRouted: boolean
}

/** Sends a request over a socket; injected ones never reach the fast path. */
function get(
  { key }: Pick<TestWorkspace, 'key'>,
  path: string,
  { method = 'GET', headers = {} }: { method?: string; headers?: Record<string, string> } = {},
): Promise<Response> {
  const before = routed
  return new Promise((resolve, reject) => {
    const request = sendRequest(
      { host: base.hostname, port: base.port, method, path, agent: false },
      async (response) => {
        const pieces: Buffer[] = await response.toArray()
        resolve({
          status: response.statusCode ?? 0,
          headers: response.rawHeaders.filter((_, index, all) => all[index - (index % 2)] !== 'Date'),
          text: Buffer.concat(pieces).toString(),
          isRouted: routed > before,
        })
      },
    )
    request.once('error', reject)
    request.setHeader('authorization', `Bearer ${key.secret}`)
    for (const [name, value] of Object.entries(headers)) request.setHeader(name, value)
    request.end()
  })
}

async function withPrompt(): Promise<TestWorkspace> {
  const workspace = await newWorkspace()
  await makeLivePrompt(workspace, { text: 'Grüß {{ name }}.' })
  return workspace
}

describe('a cached response', () => {
  it('200: is the same as the routed one, in every header and byte', async () => {
    const workspace = await withPrompt()
    for (const path of ['/prompts/greeting', '/prompts/greeting?tag=canary', '/prompts?limit=5']) {
      const [first, second] = [await get(workspace, path), await get(workspace, path)]
      assert.deepEqual([first.isRouted, second.isRouted], [true, false], path)
      assert.equal(first.status, 200)
      assert.deepEqual({ ...second, isRouted: true }, first)
    }
  })

  it('200: follows a change in the workspace at once', async () => {
    const workspace = await withPrompt()
    await get(workspace, '/prompts/greeting')
    await makeVersion(workspace, { text: 'Hello {{ name }}.', tags: ['production'] })
    // A change also invalidates cached keys; this request caches the key again.
    await get(workspace, '/features')
    const { text, isRouted } = await get(workspace, '/prompts/greeting')
    assert.match(text, /Hello/)
    assert.ok(isRouted)
  })

  it('200: belongs to the workspace of its key', async () => {
    const [first, second] = [await withPrompt(), await newWorkspace()]
    await makeLivePrompt(second, { text: 'Another.' })
    for (const _ of [1, 2]) {
      assert.match((await get(first, '/prompts/greeting')).text, /Grüß/)
      assert.match((await get(second, '/prompts/greeting')).text, /Another/)
    }
  })

  it('200: counts in the usage of the prompt and in the metrics', async () => {
    const workspace = await withPrompt()
    const countFetches = async (): Promise<number> => {
      const { text } = await send({ method: 'GET', url: '/metrics' })
      return Number(
        /^plumbline_requests_total\{operation="prompts.get",status="200"\} (\d+)/m.exec(text)?.[1] ?? 0,
      )
    }
    const before = await countFetches()
    for (const _ of [1, 2, 3]) await get(workspace, '/prompts/greeting')
    await eventually(async () => assert.equal(await countFetches(), before + 3))
    await eventually(async () => {
      const { versions } = await workspace.ok(operations.prompts.usage, { slug: 'greeting' })
      assert.equal(versions[0]?.fetches.count, 3)
    })
  })

  it('304, and HEAD: conditions and other methods are routed', async () => {
    const workspace = await withPrompt()
    const { headers } = await get(workspace, '/prompts/greeting')
    const etag = headers[headers.findIndex((name) => name.toLowerCase() === 'etag') + 1] ?? ''
    const unchanged = await get(workspace, '/prompts/greeting', { headers: { 'if-none-match': etag } })
    assert.deepEqual([unchanged.status, unchanged.text], [304, ''])
    const head = await get(workspace, '/prompts/greeting', { method: 'HEAD' })
    assert.deepEqual([head.status, head.text], [200, ''])
  })

  it('401, 403: is not returned for a key that is unknown, revoked or without the scope', async () => {
    const workspace = await withPrompt()
    const [revoked, ingest] = [await workspace.newKey(['read']), await workspace.newKey(['ingest'])]
    for (const _ of [1, 2]) assert.equal((await get({ key: revoked }, '/prompts/greeting')).status, 200)
    await workspace.ok(operations.keys.delete, { id: revoked.id })
    assert.equal((await get({ key: revoked }, '/prompts/greeting')).status, 401)
    await get(workspace, '/prompts/greeting')
    for (const _ of [1, 2]) assert.equal((await get({ key: ingest }, '/prompts/greeting')).status, 403)
    assert.equal((await get({ key: { id: '', secret: 'pl_none' } }, '/prompts/greeting')).status, 401)
  })

  it('429: counts toward the rate limit of its caller', async () => {
    const workspace = await withPrompt()
    const reader = { key: await workspace.newKey(['read']) }
    const statuses: number[] = []
    for (let count = 0; count < 2 * perMinute; count++)
      statuses.push((await get(reader, '/prompts/greeting')).status)
    assert.equal(statuses[0], 200)
    assert.equal(statuses.at(-1), 429)
    assert.ok(statuses.filter((status) => status === 200).length >= perMinute)
  })
})
