// One control plane is enough: this is about models, not about what is stored.
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, describe, it } from 'node:test'
import { operations } from '@plumbline/contract'
import { startModelServer } from '../../../../fixtures/model-server/server.ts'
import { makeFeature, makeLivePrompt, startTestApp, type TestWorkspace } from '../../../testing/test-app.ts'

const { run } = operations.playground
const models = await startModelServer({ script: [{ when: 'Ping', text: 'Pong' }] })
after(() => models.close())
const { app, newWorkspace } = await startTestApp({ settings: { PLUMBLINE_PRIVATE_MODEL_URLS: 'true' } })

const makeConnection = async (workspace: TestWorkspace, provider = 'open-ai') =>
  (
    await workspace.ok(operations.connections.create, {
      name: provider,
      provider,
      apiKey: 'sk-test',
      baseUrl: models.url,
    })
  ).connection.id

interface RunEvent {
  readonly type: string
  readonly [field: string]: unknown
}

async function eventsOf(workspace: TestWorkspace, input: object): Promise<RunEvent[]> {
  const answer = await workspace.call(run, input)
  assert.equal(answer.status, 200, answer.text)
  assert.equal(answer.headers['content-type'], 'text/event-stream; charset=utf-8')
  return answer.text
    .split('\n\n')
    .filter((event) => event !== '')
    .map((event) => JSON.parse(event.replace(/^data: /, '')) as RunEvent)
}
const textOf = (events: RunEvent[]): string =>
  events.flatMap(({ type, text }) => (type === 'text' ? [text] : [])).join('')

describe('playground.run', () => {
  describe('200', () => {
    it('streams the responses of each kind of provider, with usage, cost and times at the end', async () => {
      const workspace = await newWorkspace()
      for (const provider of ['open-ai', 'openai-compatible', 'anthropic', 'mistral']) {
        const connectionId = await makeConnection(workspace, provider)
        const messages = [{ role: 'user', content: 'Ping' }]
        const events = await eventsOf(workspace, { connectionId, model: 'gpt-4o', messages })
        assert.equal(textOf(events), 'Pong', provider)
        const done = events.at(-1) as RunEvent & { usage: { inputTokens: number } | null; cost: number }
        assert.deepEqual([done.type, done.finishReason], ['done', 'stop'], provider)
        assert.ok(Number(done.durationMs) > 0, provider)
        // Mistral's protocol has no way to request usage, and the fixture returns it only on request.
        assert.equal((done.usage?.inputTokens ?? 0) > 0, provider !== 'mistral', provider)
        if (provider === 'open-ai') assert.ok(done.cost > 0 && done.costDetail !== null)
        assert.equal(done.traceId, undefined)
      }
    })

    it('renders a draft made of messages, including those for its placeholders', async () => {
      const workspace = await newWorkspace()
      const connectionId = await makeConnection(workspace)
      const before = models.requests.length
      const promptMessages = [{ placeholder: 'history' }, { role: 'user', content: 'Ping {{ name }}' }]
      const history = [{ role: 'assistant', content: 'Hello.' }]
      const variables = { name: 'Ada', history }
      const input = { connectionId, model: 'gpt-4o', promptMessages, variables }
      assert.equal(textOf(await eventsOf(workspace, input)), 'Pong')
      const { body } = models.requests[before] as { body: Record<string, unknown> }
      assert.deepEqual(body.messages, [...history, { role: 'user', content: 'Ping Ada' }])
      await makeLivePrompt(workspace, { text: 'Ping shared' })
      const shared = { connectionId, model: 'gpt-4o', text: '{% include "greeting" %}' }
      assert.equal(textOf(await eventsOf(workspace, shared)), 'Pong')
      const refusalOf = (fields: object) => workspace.refused(run, { ...input, ...fields }, 400)
      assert.match(await refusalOf({ text: 'x' }), /^promptMessages: must not/)
      assert.match(await refusalOf({ promptMessages: [{ role: 'user' }] }), /^promptMessages\[0\]: must have/)
    })

    it('renders the served version with variables, uses its model, and records the run if requested', async () => {
      const workspace = await newWorkspace()
      await makeFeature(workspace)
      await makeLivePrompt(workspace, {
        text: 'Ping {{ name }}',
        systemText: 'Be kind.',
        model: { provider: 'open-ai', model: 'gpt-4o', parameters: { temperature: 0.2, maxLength: 50 } },
      })
      const connectionId = await makeConnection(workspace)
      const before = models.requests.length
      const events = await eventsOf(workspace, {
        connectionId,
        prompt: { slug: 'greeting' },
        variables: { name: 'Ada' },
        record: true,
        featureSlug: 'chat',
      })
      const { body } = models.requests[before] as { body: Record<string, unknown> }
      assert.deepEqual(body.messages, [
        { role: 'system', content: 'Be kind.' },
        { role: 'user', content: 'Ping Ada' },
      ])
      assert.deepEqual([body.model, body.temperature], ['gpt-4o', 0.2])
      const { trace } = await workspace.ok(operations.traces.get, { id: String(events.at(-1)?.traceId) })
      assert.deepEqual([trace.name, trace.featureSlug, trace.output], ['playground', 'chat', 'Pong'])
      const [log] = trace.logs
      assert.deepEqual([log?.model, log?.promptVersion, log?.input], ['gpt-4o', '1.0.0', body.messages])
      assert.deepEqual(log?.variables, [{ label: 'name', value: 'Ada' }])
    })

    it('offers tools and streams their calls, and requests JSON for a schema', async () => {
      const workspace = await newWorkspace()
      const connectionId = await makeConnection(workspace)
      const shape = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }
      const called = await eventsOf(workspace, {
        connectionId,
        model: 'gpt-4o',
        text: 'What is the weather in Paris?',
        parameters: { tools: [{ type: 'function', function: { name: 'weather', parameters: shape } }] },
      })
      const call = called.find(({ type }) => type === 'toolCall')
      assert.equal(call?.name, 'weather')
      assert.deepEqual(Object.keys(call?.arguments ?? {}), ['city'])
      const structured = await eventsOf(workspace, {
        connectionId,
        model: 'gpt-4o',
        text: 'Name a city.',
        parameters: { responseFormat: 'json_schema', jsonObject: shape },
      })
      assert.equal(typeof JSON.parse(textOf(structured)).city, 'string')
    })

    it('sends a schema, a tool and a tool choice as their wrappers specify', async () => {
      const workspace = await newWorkspace()
      const connectionId = await makeConnection(workspace)
      const bodyOf = async (parameters: object) => {
        const before = models.requests.length
        await eventsOf(workspace, { connectionId, model: 'gpt-4o', text: 'Name a city.', parameters })
        return models.requests[before]?.body as { [field: string]: object }
      }
      const schema = { type: 'object', properties: { city: { type: 'string' } } }
      const formatOf = async (jsonObject: object) =>
        (await bodyOf({ responseFormat: 'json_schema', jsonObject })).response_format
      const json = { name: 'city', schema }
      const format = (strict: boolean, name = 'city') => ({
        type: 'json_schema',
        json_schema: { name, strict, schema },
      })
      assert.deepEqual(await formatOf(json), format(false))
      assert.deepEqual(await formatOf({ type: 'json_schema', json_schema: json }), format(false))
      assert.deepEqual(await formatOf({ ...json, strict: true }), format(true))
      assert.deepEqual(await formatOf(schema), format(true, 'response'))
      const tool = { name: 'weather', strict: true, parameters: schema }
      const { tools, tool_choice: choice } = await bodyOf({
        tools: [{ type: 'function', function: tool }],
        toolChoice: { type: 'any' },
      })
      assert.deepEqual([tools, choice], [[{ type: 'function', function: tool }], 'required'])
    })

    it("ends with the provider's error message when it fails", async () => {
      const workspace = await newWorkspace()
      const connectionId = await makeConnection(workspace)
      for (const model of ['fake-429', 'fake-500', 'fake-cut', 'fake-malformed']) {
        const events = await eventsOf(workspace, { connectionId, model, text: 'Hello' })
        assert.equal(events.at(-1)?.type, 'error', model)
        assert.ok(String(events.at(-1)?.error).length > 0)
      }
    })

    it('fails if a provider reports an error within the stream, or ends it without a reason', async () => {
      const half = `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: 'Half' } }] })}\n\n`
      const endings: Record<string, string> = {
        reported: `data: ${JSON.stringify({ error: { type: 'server_error', message: 'Overloaded.' } })}\n\n`,
        cut: '',
      }
      const server = createServer(async (request, response) => {
        const body = Buffer.concat(await Array.fromAsync<Buffer>(request)).toString()
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        response.end(half + endings[(JSON.parse(body) as { model: string }).model])
      })
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      // So that a failing test ends too.
      server.unref()
      const workspace = await newWorkspace()
      const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
      const { connection } = await workspace.ok(operations.connections.create, {
        ...{ name: 'Half', provider: 'open-ai', apiKey: 'sk-test', baseUrl },
      })
      const run = (model: string) =>
        eventsOf(workspace, { connectionId: connection.id, model, text: 'Hello', record: true })
      assert.deepEqual(await run('reported'), [
        { type: 'text', text: 'Half' },
        { type: 'error', error: 'Overloaded.' },
      ])
      assert.deepEqual(await run('cut'), [
        { type: 'text', text: 'Half' },
        { type: 'error', error: 'The response ended before it was complete.' },
      ])
    })

    it('ends the call when the client disconnects', async () => {
      const ended = Promise.withResolvers<void>()
      const endless = createServer((request, response) => {
        response.on('close', () => ended.resolve())
        request.resume()
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        const piece = { choices: [{ index: 0, delta: { content: 'and so on ' } }] }
        response.write(`data: ${JSON.stringify(piece)}\n\n`)
      })
      await new Promise<void>((resolve) => endless.listen(0, '127.0.0.1', resolve))
      const workspace = await newWorkspace()
      const baseUrl = `http://127.0.0.1:${(endless.address() as AddressInfo).port}/v1`
      const { connection } = await workspace.ok(operations.connections.create, {
        name: 'Endless',
        provider: 'openai-compatible',
        baseUrl,
      })
      const address = await app.server.listen({ port: 0, host: '127.0.0.1' })
      const disconnect = new AbortController()
      const answer = await fetch(`${address}/playground/run`, {
        method: 'POST',
        signal: disconnect.signal,
        headers: { authorization: `Bearer ${workspace.key.secret}`, 'content-type': 'application/json' },
        body: JSON.stringify({ connectionId: connection.id, model: 'm', text: 'Tell me a story.' }),
      })
      const first = await answer.body?.getReader().read()
      assert.match(Buffer.from(first?.value ?? []).toString(), /and so on/)
      disconnect.abort()
      await ended.promise
      endless.close()
    })
  })

  describe('400', () => {
    it('the run has no model or nothing to send, or a message or template is invalid', async () => {
      const workspace = await newWorkspace()
      const connectionId = await makeConnection(workspace)
      const errorOf = (input: object) => workspace.refused(run, { connectionId, ...input }, 400)
      assert.match(await errorOf({ text: 'x' }), /^model: /)
      assert.match(await errorOf({ model: 'm' }), /^messages: /)
      assert.match(await errorOf({ model: 'm', messages: [{ role: 'x' }] }), /^messages\[0\]\.role: /)
      const failing = '{% if %}'
      assert.match(await errorOf({ model: 'm', text: failing }), /^text: cannot be rendered/)
      assert.match(await errorOf({ model: 'm', text: 'x', systemText: failing }), /^systemText: cannot/)
      const message = { role: 'user', content: 'x' }
      const promptMessages = [message, { ...message, content: failing }]
      assert.match(await errorOf({ model: 'm', promptMessages }), /^promptMessages\[1\]\.content: cannot/)
      const messages = [message, { role: 'x' }]
      assert.match(await errorOf({ model: 'm', text: 'x', messages }), /^messages\[1\]\.role: /)
      const roles = { promptMessages: [{ ...message, role: 'x' }] }
      assert.match(await errorOf({ model: 'm', ...roles, messages: [message] }), /^promptMessages\.role: /)
    })
  })

  describe('404', () => {
    it('the connection, prompt, version or feature does not exist', async () => {
      const workspace = await newWorkspace()
      const connectionId = await makeConnection(workspace)
      await makeLivePrompt(workspace)
      await workspace.refused(run, { connectionId: 'nobody', model: 'm', text: 'x' }, 404)
      await workspace.refused(run, { connectionId, model: 'm', prompt: { slug: 'nobody' } }, 404)
      const prompt = { slug: 'greeting', version: '9' }
      await workspace.refused(run, { connectionId, model: 'm', prompt }, 404)
      await workspace.refused(run, { connectionId, model: 'm', text: 'x', featureSlug: 'nobody' }, 404)
    })
  })
})
