import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { allOperations, operations } from '@plumbline/contract'
import { eventually } from '../../../fixtures/eventually.ts'
import { errorOf, makeDataset, makeLivePrompt, startTestApp } from '../../testing/test-app.ts'

const { send, newWorkspace } = await startTestApp()

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

const formOf = (path: string) => new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`)

describe('a URL', () => {
  it('404: is unknown, with every method, with and without a key', async () => {
    const { key } = await newWorkspace()
    const paths = [
      '/nowhere',
      '/monitor',
      '/monitor/traces/a/b',
      '/prompts/a/b/c',
      '/monitor/trace/',
      '/%ff',
      '/PROMPTS',
    ]
    for (const url of paths) {
      for (const method of methods) {
        for (const headers of [{}, { authorization: `Bearer ${key.secret}` }]) {
          const answer = await send({ method, url, headers })
          assert.ok(
            answer.status === 404 || (url === '/%ff' && answer.status === 400),
            `${method} ${url}: ${answer.status}`,
          )
          if (method !== 'HEAD') errorOf(answer)
        }
      }
    }
  })

  it('405: is known with another method, and Allow names its methods', async () => {
    for (const path of new Set(allOperations.map((operation) => operation.path))) {
      // /files/generate-upload-url could also be a file's key.
      const taking = allOperations.filter((other) => formOf(other.path).test(path))
      const routedMethods = new Set<string>(taking.map(({ method }) => method))
      if (routedMethods.has('GET')) routedMethods.add('HEAD')
      for (const method of methods.filter((other) => !routedMethods.has(other))) {
        const answer = await send({ method, url: path.replaceAll(/\{\w+\}/g, 'x') })
        assert.equal(answer.status, 405, `${method} ${path}`)
        if (method !== 'HEAD') errorOf(answer)
        assert.deepEqual(new Set(answer.headers.allow?.split(', ')), routedMethods, `${method} ${path}`)
      }
    }
  })

  it('405: belongs to the operator, uploads, sign-in or the web app, with another method', async () => {
    const refusals = [
      ['/', ['PUT', 'PATCH', 'DELETE'], 'GET, HEAD, POST'],
      ...[
        '/healthz',
        '/readyz',
        '/metrics',
        '/openapi.json',
        '/docs',
        '/app/',
        '/help/',
        '/packages/',
        '/shared/x',
        '/auth/options',
      ].map((url) => [url, ['POST', 'PUT', 'PATCH', 'DELETE'], 'GET, HEAD'] as const),
      ['/files/upload/x', ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE'], 'PUT'],
      ['/backup', ['GET', 'PUT'], 'POST'],
      ['/v1/traces', ['GET', 'PUT'], 'POST'],
    ] as const
    for (const [url, otherMethods, allow] of refusals)
      for (const method of otherMethods) {
        const answer = await send({ method, url })
        assert.deepEqual([answer.status, answer.headers.allow], [405, allow], `${method} ${url}`)
        if (method !== 'HEAD') errorOf(answer)
      }
  })

  it('404: is below /docs and not part of the reference', async () => {
    assert.equal((await send({ method: 'GET', url: '/docs/' })).status, 200)
    const answer = await send({ method: 'GET', url: '/docs/nope' })
    assert.equal(answer.status, 404)
    assert.equal(errorOf(answer), 'There is no route /docs/nope; see /docs.')
  })

  it('400: has too long a path segment', async () => {
    const { key } = await newWorkspace()
    const headers = { authorization: `Bearer ${key.secret}` }
    const get = (length: number) => send({ method: 'GET', url: `/prompts/${'x'.repeat(length)}`, headers })
    assert.equal((await get(4096)).status, 404)
    const answer = await get(4097)
    assert.equal(answer.status, 400)
    assert.equal(errorOf(answer), 'address: must have at most 4096 characters between two slashes')
  })

  it('405: is checked before the body', async () => {
    const headers = { 'content-type': 'text/html' }
    assert.equal((await send({ method: 'PUT', url: '/prompts', headers, payload: '<' })).status, 405)
  })
})

describe('a query', () => {
  it('400: names the unknown parameter, and the one that was probably meant', async () => {
    const { key } = await newWorkspace()
    const headers = { authorization: `Bearer ${key.secret}` }
    for (const [method, url, error] of [
      ['GET', '/monitor/traces?featureslug=x', 'featureslug: is unknown; did you mean featureSlug?'],
      ['GET', '/features?limit=5', 'limit: is unknown: there are no query parameters here'],
      [
        'GET',
        '/monitor/traces/histogram?limit=5',
        /^limit: is none of featureSlug, .*, buckets, includesLater, timeZone, metadata\.KEY$/,
      ],
      ['POST', '/deletions?userId=x', 'userId: is unknown: there are no query parameters here'],
    ] as const) {
      const answer = await send({ method, url, headers })
      assert.equal(answer.status, 400, url)
      if (typeof error === 'string') assert.equal(errorOf(answer), error)
      else assert.match(errorOf(answer), error)
    }
  })

  it('200: may have unknown parameters for operations that ignore them, and be empty elsewhere', async () => {
    const workspace = await newWorkspace()
    await makeLivePrompt(workspace)
    await makeDataset(workspace)
    const headers = { authorization: `Bearer ${workspace.key.secret}` }
    for (const url of [
      '/prompts?x=1',
      '/prompts/greeting?Version=9',
      '/datasets/cases?x=1',
      '/features?',
      '/features?&',
    ])
      assert.equal((await send({ method: 'GET', url, headers })).status, 200, url)
    const payload = {}
    assert.equal((await send({ method: 'POST', url: '/monitor/trace?x=1', headers, payload })).status, 200)
  })
})

describe('HEAD', () => {
  it('answers every GET without a body', async () => {
    const workspace = await newWorkspace()
    await makeLivePrompt(workspace)
    await makeDataset(workspace)
    const headers = { authorization: `Bearer ${workspace.key.secret}` }
    for (const { method, path } of allOperations.filter((each) => each.method === 'GET')) {
      const url = path
        .replace('/prompts/{slug}', '/prompts/greeting')
        .replace('/datasets/{slug}', '/datasets/cases')
      const get = await send({ method, url, headers })
      const head = await send({ method: 'HEAD', url, headers })
      assert.deepEqual([head.status, head.text], [get.status, ''], url)
      assert.deepEqual(
        [head.headers.etag, head.headers['content-type']],
        [get.headers.etag, get.headers['content-type']],
      )
    }
    assert.equal((await send({ method: 'HEAD', url: '/prompts' })).status, 401)
  })
})

describe('the operator’s endpoints', () => {
  it('/healthz and /readyz answer 200 without a key', async () => {
    for (const url of ['/healthz', '/readyz'])
      await eventually(async () => assert.equal((await send({ method: 'GET', url })).status, 200))
  })

  it('/metrics reports how often each operation was answered, in Prometheus text format', async () => {
    const workspace = await newWorkspace()
    await workspace.ok(operations.features.list)
    const answer = await send({ method: 'GET', url: '/metrics' })
    assert.match(answer.headers['content-type'] ?? '', /^text\/plain/)
    assert.match(answer.text, /^# TYPE \S+ (counter|gauge|histogram)$/m)
    assert.match(answer.text, /features\.list/)
  })

  it('/ redirects programs to /docs, where the interface is documented, and browsers to the web app', async () => {
    const root = await send({ method: 'GET', url: '/' })
    assert.deepEqual([root.status, root.headers.location], [302, '/docs'])
    const accept = 'text/html,application/xhtml+xml;q=0.9'
    const browser = await send({ method: 'GET', url: '/', headers: { accept } })
    assert.deepEqual([browser.status, browser.headers.location], [302, '/app/'])
  })
})
