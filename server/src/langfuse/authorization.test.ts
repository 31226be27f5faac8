/** Who may call which endpoints of Langfuse's public API. The expectations follow from the endpoints' scopes. */
// One control plane is enough: this tests HTTP, not stored data.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { operations, scopes } from '@plumbline/contract'
import type { InjectOptions } from 'fastify'
import { errorOf, startTestApp } from '../../testing/test-app.ts'
import { makeSecret } from '../accounts/keys/secret.ts'
import type { LangfuseEndpoint } from './endpoint.ts'
import { langfuseEndpoints } from './endpoints.ts'

const { newWorkspace, send } = await startTestApp()
const workspace = await newWorkspace()
const keyOf = Object.fromEntries(
  await Promise.all(scopes.map(async (scope) => [scope, (await workspace.newKey([scope])).secret] as const)),
)
const expired = await workspace.newKey(scopes, { expiresAt: new Date(Date.now() - 1000) })
const revoked = await workspace.newKey(scopes)
await workspace.ok(operations.keys.delete, { id: revoked.id })

const basic = (secretKey: string, publicKey = 'pk-any') =>
  `Basic ${Buffer.from(`${publicKey}:${secretKey}`).toString('base64')}`

const otlp = ['traces', 'logs', 'metrics'].map(
  (signal): Pick<LangfuseEndpoint, 'method' | 'path' | 'scope' | 'orScope'> => ({
    method: 'POST',
    path: `/otel/v1/${signal}`,
    scope: 'ingest',
  }),
)
const all = [...langfuseEndpoints, ...otlp]

const call = ({ method, path }: Pick<LangfuseEndpoint, 'method' | 'path'>, authorization?: string) =>
  send({
    method,
    url: `/api/public${path.replaceAll(/\{[\w.]+\}/g, 'nothing')}`,
    ...(method === 'POST' || method === 'PATCH' ? { payload: {} } : {}),
    headers: authorization === undefined ? {} : { authorization },
  } as InjectOptions)

const strangers: Readonly<Record<string, string | undefined>> = {
  'no credentials': undefined,
  'an unknown key': basic(makeSecret()),
  'an expired key': basic(expired.secret),
  'a revoked key': basic(revoked.secret),
  'a pair without a secret key': basic(''),
  'a key in the place of the public one': basic('sk-any', workspace.key.secret),
  'a text without a colon': `Basic ${Buffer.from(workspace.key.secret).toString('base64')}`,
  'another scheme': `Digest ${workspace.key.secret}`,
}

it('an id that no path can contain is distinguished from a failure of the service', async () => {
  const authorization = basic(workspace.key.secret)
  for (const id of ['', '.']) {
    const { status, text } = await send({
      method: 'DELETE',
      url: `/api/public/scores/${id}`,
      headers: { authorization },
    })
    assert.equal(status, 400, text)
    assert.match(JSON.parse(text).message, /^id: must not be empty/)
  }
})

it('a path that Langfuse has but Plumbline does not is rejected before its body is read', async () => {
  const headers = { 'content-type': 'application/json' }
  const { status, text } = await send({
    method: 'POST',
    url: '/api/public/none',
    payload: '{no JSON',
    headers,
  })
  assert.match(text, /does not support POST \/api\/public\/none/, `${status}`)
})

describe("every endpoint of Langfuse's API", () => {
  for (const endpoint of all) {
    const name = `${endpoint.method} ${endpoint.path}`

    it(`${name} is rejected without credentials`, async () => {
      for (const [stranger, authorization] of Object.entries(strangers)) {
        const answer = await call(endpoint, authorization)
        assert.equal(answer.status, 401, `${stranger}: ${answer.text}`)
        errorOf(answer)
      }
    })

    it(`${name} requires a key with the scope ${endpoint.scope}`, async () => {
      for (const scope of scopes) {
        const isAllowed = [endpoint.scope, endpoint.orScope].some(
          (requiredScope) => requiredScope === scope || (requiredScope === 'read' && scope === 'manage'),
        )
        const answer = await call(endpoint, basic(keyOf[scope]!))
        assert.notEqual(answer.status, 401, scope)
        assert.equal(answer.status !== 403, isAllowed, `${scope}: ${answer.status} ${answer.text}`)
      }
    })
  }

  it('accepts the secret key as a bearer token too, with any public key', async () => {
    for (const authorization of [`Bearer ${workspace.key.secret}`, basic(workspace.key.secret, '')])
      assert.equal((await call({ method: 'GET', path: '/projects' }, authorization)).status, 200)
  })

  it('shows and changes nothing of another workspace', async () => {
    const ours = await newWorkspace()
    const own = basic(ours.key.secret)
    const creation = await send({
      method: 'POST',
      url: '/api/public/v2/prompts',
      payload: { name: 'secret', prompt: 'Ours.', labels: ['production'] },
      headers: { authorization: own },
    })
    assert.equal(creation.status, 201, creation.text)
    const get = (authorization: string) =>
      send({ method: 'GET', url: '/api/public/v2/prompts/secret', headers: { authorization } })
    assert.equal((await get(own)).status, 200)
    assert.equal((await get(basic(workspace.key.secret))).status, 404)
  })
})

describe('endpoints that Langfuse has and this service does not', () => {
  it('501: for any other path, with a message', async () => {
    for (const path of ['/models', '/v2/metrics', '/llm-connections', '/media'])
      for (const method of ['GET', 'POST'] as const) {
        const answer = await call({ method, path: path as `/${string}` }, basic(workspace.key.secret))
        assert.equal(answer.status, 501, path)
        assert.match(errorOf(answer), /^Plumbline does not support .*docs\/langfuse\.md/)
      }
  })

  it('are told apart in docs/langfuse.md, which lists every endpoint', () => {
    const docs = readFileSync(new URL('../../../docs/langfuse.md', import.meta.url), 'utf8')
    for (const { method, path } of all)
      assert.ok(docs.includes(`\`${method} ${path.replace('...', '')}\``), `${method} ${path}`)
  })
})
