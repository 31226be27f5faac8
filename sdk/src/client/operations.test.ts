import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { allOperations, operations, pathFields } from '@plumbline/contract'
import {
  knownModel,
  makeDataset,
  makeEvaluator,
  makeExperiment,
  makeFeature,
  makeLivePrompt,
} from '../../../server/testing/test-app.ts'
import { createClient, createOperations, RequestFailed, ServiceUnreachable } from '../index.ts'
import { answerWith, fates, startProxy, startService } from '../testing.ts'

const { url, workspace } = await startService()
const proxy = await startProxy(url)
const plumbline = createClient({ baseUrl: `${proxy.url}/`, apiKey: workspace.key.secret })

describe('calling an operation', () => {
  it('is possible for exactly the operations of the contract, by their names', () => {
    const names = Object.entries(operations).flatMap(([resource, verbs]) =>
      Object.keys(verbs).map((verb) => `${resource}.${verb}`),
    )
    const calls = Object.entries(plumbline).flatMap(([resource, verbs]) =>
      resource in operations ? Object.keys(verbs as object).map((verb) => `${resource}.${verb}`) : [],
    )
    assert.deepEqual(calls.sort(), names.sort())
  })

  it('rejects a path field that no URL can carry, without a request (M5)', async () => {
    for (const slug of ['..', '.', ''])
      await assert.rejects(plumbline.prompts.describe({ slug }), /^TypeError: slug: must not be empty/)
  })

  it('sends path, query and body fields where they belong, and returns the typed response', async () => {
    const feature = await plumbline.features.create({ slug: 'search', name: 'Search' })
    assert.equal(feature.feature.slug, 'search')
    await makeLivePrompt(workspace, { text: 'Hi {{ name }}', model: knownModel })
    const { prompt } = await plumbline.prompts.get({ slug: 'greeting', tag: 'production' })
    assert.equal(prompt.model.parameters.temperature, 1)
    assert.equal((await plumbline.prompts.list()).prompts.length, 1)
    const unknown: string | undefined = undefined
    const listed = await plumbline.traces.list({ limit: 5, userId: 'nobody', name: unknown! })
    assert.deepEqual(listed.traces, [])
  })

  it('reads datasets, creates experiments and gives scores', async () => {
    await makeFeature(workspace)
    await makeDataset(workspace)
    await makeEvaluator(workspace)
    await plumbline.datasets.add({ slug: 'cases', values: { question: 'Why?' }, idealOutput: 'Because.' })
    const { dataset } = await plumbline.datasets.get({ slug: 'cases' })
    assert.deepEqual(dataset.rows, [{ values: { question: 'Why?' }, idealOutput: 'Because.' }])
    const experiment = await plumbline.experiments.create({ featureSlug: 'chat', name: 'Shorter' })
    const { trace } = await plumbline.monitor.trace({ experiment: { id: experiment.id } })
    const { score } = await plumbline.scores.create({ traceId: trace.id, name: 'exact', value: true })
    assert.equal(score.value, true)
    await makeExperiment(workspace)
    assert.equal((await plumbline.experiments.list({ featureSlug: 'chat' })).experiments.length, 2)
  })

  it('returns the bytes of a file of any type', async () => {
    const bytes = new TextEncoder().encode('{"not": "an answer"}')
    const { uploadUrl, fileKey } = await plumbline.files.sign({
      fileName: 'a.json',
      contentType: 'application/json',
    })
    await fetch(uploadUrl, { method: 'PUT', headers: { 'content-type': 'application/json' }, body: bytes })
    const file = await plumbline.files.get({ fileKey })
    assert.deepEqual(new Uint8Array(await file.arrayBuffer()), bytes)
  })

  it('returns a file for exactly the operations whose contract says so', async () => {
    const answered = createClient({
      baseUrl: url,
      apiKey: 'any',
      fetch: async () => new Response('{}', { headers: { 'content-type': 'application/json' } }),
    })
    for (const { name, path, output } of allOperations) {
      const [resource, verb] = name.split('.') as [keyof typeof operations, string]
      const call = (answered[resource] as Record<string, (input: object) => Promise<unknown>>)[verb]!
      const isFile = output !== null && 'contentMediaType' in output
      assert.equal(
        (await call(Object.fromEntries(pathFields(path).map((field) => [field, 'x'])))) instanceof Blob,
        isFile,
        name,
      )
    }
  })

  it('sends and returns files', async () => {
    const bundle = await plumbline.exchange.export()
    assert.match(await bundle.text(), /^\{"type":"bundle"/)
    const { counts } = await plumbline.exchange.import(
      {},
      { file: new Blob([bundle], { type: 'application/x-ndjson' }) },
    )
    assert.ok(counts.some(({ what, read }) => what === 'prompts' && read > 0))
    for (const { what, added } of counts) assert.equal(added, 0, what)
    assert.equal((await plumbline.traces.export({ format: 'csv', name: 'none' })).size > 0, true)
  })

  it('returns undefined if the response has no body', async () => {
    const { apiKey } = await plumbline.keys.create({ name: 'Short', scopes: ['read'] })
    assert.equal(await plumbline.keys.delete({ id: apiKey.id }), undefined)
  })

  it('stores nothing twice with the same idempotency key', async () => {
    const options = { idempotencyKey: 'the same' }
    const first = await plumbline.monitor.trace({ name: 'once' }, options)
    assert.deepEqual(await plumbline.monitor.trace({ name: 'once' }, options), first)
  })
})

describe('a call that fails', () => {
  it('rejects with the status and the error message of the service', async () => {
    await assert.rejects(plumbline.prompts.get({ slug: 'nobody/knows it' }), (error) => {
      assert.ok(error instanceof RequestFailed)
      assert.equal(error.status, 404)
      assert.equal(error.message, 'No prompt has the slug "nobody/knows it".')
      return true
    })
  })

  it('returns when to retry', async () => {
    for (const [header, low, high] of [
      ['7', 7, 7],
      [new Date(Date.now() + 60_000).toUTCString(), 55, 61],
    ] as const) {
      proxy.fate(fates.pass, answerWith(503, '<html></html>', { 'retry-after': header }))
      await assert.rejects(plumbline.prompts.list(), (error) => {
        assert.ok(error instanceof RequestFailed && !error.isFromService)
        assert.equal(error.message, 'The service responded with 503.')
        assert.ok(error.retryAfterSeconds! >= low && error.retryAfterSeconds! <= high)
        return true
      })
    }
  })

  it('rejects if there is no response in time', async () => {
    proxy.fate(fates.pass, fates.breakOff, fates.hang)
    await assert.rejects(plumbline.prompts.list(), ServiceUnreachable)
    await assert.rejects(plumbline.prompts.list({}, { timeoutMs: 20 }), /did not respond in time/)
  })

  it('rejects with the reason of the signal that aborted it', async () => {
    proxy.fate(fates.pass, fates.hang)
    const reason = new Error('No longer wanted.')
    const controller = new AbortController()
    const call = plumbline.prompts.list({}, { signal: controller.signal })
    controller.abort(reason)
    await assert.rejects(call, reason)
  })
})

it('accepts a key that ends with a line break, as in secret files', async () => {
  const client = createClient({ baseUrl: url, apiKey: `${workspace.key.secret}\n` })
  assert.ok(Array.isArray((await client.prompts.list()).prompts))
})

it('a client cannot be created with an invalid URL or an empty key', () => {
  assert.throws(() => createClient({ baseUrl: 'localhost', apiKey: 'pl_x' }), /baseUrl must be an address/)
  for (const apiKey of ['', ' ', 'pl_…', 'pl_a\nb'])
    assert.throws(() => createClient({ baseUrl: url, apiKey }), /apiKey must be an API key/)
})

it('in a page of the service, the session authenticates, and no key is sent', async (test) => {
  Object.assign(globalThis, { location: { origin: 'http://plumbline.test' } })
  test.after(() => Reflect.deleteProperty(globalThis, 'location'))
  const sentHeaders: Headers[] = []
  const page = createOperations({
    baseUrl: 'http://plumbline.test',
    fetch: async (_address, request) => {
      sentHeaders.push(new Headers(request?.headers))
      return new Response('{"error":"Sign in."}', { status: 401, headers: { 'x-request-id': 'r-1' } })
    },
  })
  await assert.rejects(
    page.prompts.list(),
    (error) => error instanceof RequestFailed && error.requestId === 'r-1',
  )
  assert.equal(sentHeaders[0]?.has('authorization'), false)
  const errors: Error[] = []
  createClient({ baseUrl: 'http://plumbline.test', onError: (error) => errors.push(error) })
  assert.equal(errors.length, 0)
  createClient({ baseUrl: 'http://elsewhere.test', onError: (error) => errors.push(error) })
  assert.match(errors[0]!.message, /there is no API key/)
})
