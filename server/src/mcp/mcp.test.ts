// One control plane is enough: this tests the protocol, and the operations behind it are tested on both elsewhere.
import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Scope } from '@plumbline/contract'
import { operations } from '@plumbline/contract'
import {
  errorOf,
  makeDataset,
  makeExperiment,
  makeFeature,
  makeLivePrompt,
  makeVersion,
  recordTrace,
  startTestApp,
  type TestWorkspace,
} from '../../testing/test-app.ts'

const { app, newWorkspace, send, listen } = await startTestApp()
const address = await listen()
const clients: Client[] = []
after(() => Promise.all(clients.map((client) => client.close())))

/** A typical agent: the official client over the network. */
async function connect(workspace: TestWorkspace, scopes?: readonly Scope[]): Promise<Client> {
  const { secret } = scopes === undefined ? workspace.key : await workspace.newKey(scopes)
  const client = new Client({ name: 'test', version: '1.0.0' })
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${address}/mcp`), {
      requestInit: { headers: { authorization: `Bearer ${secret}` } },
    }),
  )
  clients.push(client)
  return client
}

async function use(client: Client, name: string, input: Record<string, unknown> = {}) {
  const result = await client.callTool({ name, arguments: input })
  const [content] = result.content as { type: string; text: string }[]
  return { isError: result.isError === true, text: content!.text, answer: result.structuredContent }
}

describe('MCP at /mcp', () => {
  it('lists the tools that a key may use: only reading ones, unless its scope is manage', async () => {
    const workspace = await newWorkspace()
    const { tools: all } = await (await connect(workspace)).listTools()
    const { tools: reading } = await (await connect(workspace, ['read'])).listTools()
    const left = all.filter(({ name }) => !reading.some((tool) => tool.name === name))
    assert.deepEqual(
      left.map(({ name, annotations }) => [name, annotations?.readOnlyHint]),
      [
        ['score_trace', false],
        ['add_dataset_row', false],
        ['propose_prompt_version', false],
      ],
    )
    assert.ok(reading.every(({ annotations }) => annotations?.readOnlyHint))
    assert.ok(reading.length > 8)
    const search = reading.find(({ name }) => name === 'search_traces')
    assert.deepEqual(
      Object.keys(search!.inputSchema.properties!).filter(
        (field) => field in operations.traces.list.input.properties,
      ),
      Object.keys(operations.traces.list.input.properties),
    )
  })

  it('finds a trace by its words, and opens it', async () => {
    const workspace = await newWorkspace()
    const { id } = await recordTrace(workspace, {
      name: 'refund',
      logs: [{ id: 'a', type: 'tool', name: 'ledger', input: 'x'.repeat(5000), output: { left: 12 } }],
    })
    await app.flush()
    const agent = await connect(workspace, ['read'])
    const result = await use(agent, 'search_traces', { q: 'refund' })
    assert.equal((result.answer as { traces: { id: string }[] }).traces[0]!.id, id)
    const opened = await use(agent, 'open_trace', { id })
    const { trace } = opened.answer as { trace: { logs: { input: string; output: unknown }[] } }
    assert.equal(trace.logs[0]!.input, `${'x'.repeat(2000)}… [3000 more characters]`)
    assert.deepEqual(trace.logs[0]!.output, { left: 12 })
    const whole = await use(agent, 'open_log', { id, logId: 'a', textCharactersMax: 9000 })
    assert.equal((whole.answer as { log: { input: string } }).log.input.length, 5000)
  })

  it('shows a long run in outline, and explains how to see more', async () => {
    const workspace = await newWorkspace()
    const logs = Array.from({ length: 450 }, (_, index) => ({
      id: `log-${index}`,
      type: 'span',
      input: 'much',
      ...(index === 3 ? { metadata: { error: 'no answer' } } : {}),
    }))
    const { id } = await recordTrace(workspace, { logs })
    const { answer } = await use(await connect(workspace), 'open_trace', { id })
    const { trace, note } = answer as { trace: { logs: Record<string, unknown>[] }; note: string }
    assert.equal(trace.logs.length, 400)
    assert.deepEqual(trace.logs[3], { id: 'log-3', type: 'span', error: 'no answer' })
    assert.match(note, /open_log.*find_logs has the 50 logs/)
    const failed = await use(await connect(workspace), 'find_logs', { id, q: 'no answer' })
    assert.deepEqual(
      (failed.answer as { logs: { id: string }[] }).logs.map((log) => log.id),
      ['log-3'],
    )
  })

  it('cuts texts further if a response would be too long for a client, unless the agent sets a length', async () => {
    const workspace = await newWorkspace()
    const messages = Array.from({ length: 60 }, () => ({ role: 'user', content: 'x'.repeat(2000) }))
    const { id } = await recordTrace(workspace, { logs: [{ id: 'a', type: 'generation', input: messages }] })
    const agent = await connect(workspace, ['read'])
    const { text } = await use(agent, 'open_trace', { id })
    assert.ok(text.length < 60_000, `${text.length} characters`)
    assert.match(text, /x{500}… \[1500 more characters\]/)
    const whole = await use(agent, 'open_trace', { id, textCharactersMax: 2000 })
    assert.ok(whole.text.length > 120_000)
  })

  it('reads a conversation, and explains a change', async () => {
    const workspace = await newWorkspace()
    await recordTrace(workspace, { sessionId: 'talk', input: 'Where is my parcel?', output: 'In Lyon.' })
    await app.flush()
    const agent = await connect(workspace, ['read'])
    assert.match((await use(agent, 'list_conversations')).text, /Where is my parcel/)
    assert.match((await use(agent, 'open_conversation', { id: 'talk' })).text, /In Lyon/)
    const [from, to] = [new Date(Date.now() - 3_600_000), new Date(Date.now() + 3_600_000)]
    const window = { measure: 'traces', from: from.toISOString(), to: to.toISOString() }
    const { answer } = await use(agent, 'explain_change', window)
    assert.equal((answer as { after: number }).after, 1)
  })

  it('judges a trace, and adds it to a dataset as a case', async () => {
    const workspace = await newWorkspace()
    const { id } = await recordTrace(workspace, { input: 'Where is my parcel?' })
    const { slug } = await makeDataset(workspace)
    const agent = await connect(workspace)
    const score = { traceId: id, name: 'helpful', value: false, comment: 'It says nothing.' }
    assert.equal((await use(agent, 'score_trace', score)).isError, false)
    const row = { slug, values: { question: 'Where is my parcel?' }, idealOutput: 'In Lyon.' }
    assert.equal((await use(agent, 'add_dataset_row', row)).isError, false)
    await app.flush()
    assert.match((await use(agent, 'list_scores', { traceId: id })).text, /It says nothing/)
    assert.match((await use(agent, 'read_dataset', { slug })).text, /In Lyon/)
  })

  it('offers the production prompts with their variables, and renders them', async () => {
    const workspace = await newWorkspace()
    await makeLivePrompt(workspace, {
      systemText: 'You are {{ role }}.',
      text: '{% for name in names %}Hello, {{ name }}! {% endfor %}{% if brief %}Bye.{% endif %}',
    })
    await workspace.ok(operations.prompts.create, { slug: 'draft', name: 'Draft' })
    const agent = await connect(workspace, ['read'])
    const { prompts } = await agent.listPrompts()
    assert.deepEqual(
      prompts.map(({ name, arguments: variables }) => [name, variables?.map((variable) => variable.name)]),
      [['greeting', ['role', 'names', 'brief']]],
    )
    const ask = async (values: Record<string, string>) => {
      const { messages } = await agent.getPrompt({ name: 'greeting', arguments: values })
      return messages.map(({ role, content }) => [role, content.type === 'text' ? content.text : undefined])
    }
    assert.deepEqual(await ask({ role: 'kind', names: '["Ada", "Alan"]', brief: 'true' }), [
      ['user', 'You are kind.'],
      ['user', 'Hello, Ada! Hello, Alan! Bye.'],
    ])
    assert.deepEqual(await ask({ brief: 'false' }), [
      ['user', 'You are .'],
      ['user', ''],
    ])
    await assert.rejects(ask({ names: 'Ada' }), /names: must be the JSON of an array/)
    await assert.rejects(agent.getPrompt({ name: 'nothing' }), /No prompt has the slug "nothing"/)
  })

  it('compares two versions of a prompt, and proposes one without publishing it', async () => {
    const workspace = await newWorkspace()
    await makeLivePrompt(workspace, { text: 'Say hello.' })
    await makeVersion(workspace, { text: 'Say hello nicely.' })
    const agent = await connect(workspace)
    const compared = await use(agent, 'compare_prompt_versions', {
      slug: 'greeting',
      from: 'production',
      to: 'latest',
    })
    assert.match(compared.text, /"added","line":"Say hello nicely\."/)
    const proposed = await use(agent, 'propose_prompt_version', {
      slug: 'greeting',
      text: 'Hello!',
      tags: ['production'],
      message: 'Shorter.',
    })
    assert.deepEqual((proposed.answer as { version: { tags: string[] } }).version.tags, ['latest'])
    const { prompt } = await workspace.ok(operations.prompts.get, { slug: 'greeting' })
    assert.equal(prompt.text, 'Say hello.')
  })

  it('reads every kind of object, whatever exists', async () => {
    const workspace = await newWorkspace()
    await makeFeature(workspace)
    const { slug } = await makeDataset(workspace)
    await workspace.ok(operations.datasets.add, { slug, values: { question: 'Why?' } })
    await makeLivePrompt(workspace)
    const [a, b] = [await makeExperiment(workspace), await makeExperiment(workspace)]
    const agent = await connect(workspace, ['read'])
    const { tools } = await agent.listTools()
    const { id } = await recordTrace(workspace, { sessionId: 'talk', logs: [{ id: 'a', type: 'span' }] })
    await app.flush()
    const inputs: Record<string, Record<string, unknown>> = {
      open_trace: { id },
      find_logs: { id },
      open_log: { id, logId: 'a' },
      open_conversation: { id: 'talk' },
      explain_change: { measure: 'cost', from: '2026-01-01T00:00:00Z', to: '2026-02-01T00:00:00Z' },
      count_values: { fields: 'feature' },
      query_metrics: { measures: 'traces,cost' },
      get_prompt: { slug: 'greeting' },
      list_prompt_versions: { slug: 'greeting' },
      compare_prompt_versions: { slug: 'greeting', from: '1.0.0', to: 'latest' },
      get_prompt_history: { slug: 'greeting' },
      read_dataset: { slug },
      compare_experiments: { ids: `${a.id},${b.id}` },
    }
    for (const { name } of tools) {
      const { isError, text } = await use(agent, name, inputs[name])
      assert.equal(isError, false, `${name}: ${text}`)
    }
    assert.match((await use(agent, 'read_dataset', { slug })).text, /Why\?/)
  })

  it('returns the problem with its input to the model, with the message of the interface', async () => {
    const workspace = await newWorkspace()
    const agent = await connect(workspace, ['read'])
    const { isError, text } = await use(agent, 'search_traces', { limit: 0 })
    assert.ok(isError)
    assert.match(text, /^limit: /)
    assert.match((await use(agent, 'open_trace', { id: 'nowhere' })).text, /trace/i)
    await assert.rejects(use(agent, 'propose_prompt_version', { slug: 'a', text: 'b' }), /no tool/)
  })

  it('reads nothing of another workspace', async () => {
    const [mine, theirs] = [await newWorkspace(), await newWorkspace()]
    const { id } = await recordTrace(theirs, { name: 'secret' })
    assert.ok((await use(await connect(mine), 'open_trace', { id })).isError)
  })

  it('names the problem with a slug or id that no path can contain (M5)', async () => {
    const client = await connect(await newWorkspace())
    for (const slug of ['..', '.', '']) {
      const { isError, text } = await use(client, 'get_prompt', { slug })
      assert.deepEqual([isError, text.includes('slug: must not be empty, "." or ".."')], [true, true], text)
    }
    const { isError, text } = await use(client, 'open_trace', { id: '..' })
    assert.deepEqual([isError, text.includes('id: must not be empty')], [true, true], text)
  })

  it('rejects requests without a key, with a key that may not read, and from pages of other origins', async () => {
    const workspace = await newWorkspace()
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
    const post = (headers: Record<string, string>) =>
      send({
        method: 'POST',
        url: '/mcp',
        payload: message,
        headers: { accept: 'application/json, text/event-stream', ...headers },
      })
    const nobody = await post({})
    assert.deepEqual([nobody.status, nobody.headers['www-authenticate']], [401, 'Bearer'])
    const unread = { 'content-type': 'application/json' }
    const unreadable = await send({ method: 'POST', url: '/mcp', payload: '{no JSON', headers: unread })
    assert.equal(unreadable.status, 401, 'the body was read before the key was known')
    const { secret } = await workspace.newKey(['ingest'])
    assert.equal((await post({ authorization: `Bearer ${secret}` })).status, 403)
    const authorization = `Bearer ${workspace.key.secret}`
    assert.equal((await post({ authorization, origin: 'https://evil.example' })).status, 400)
    assert.equal((await post({ authorization })).status, 200)
    // Found by the fuzzer: an invalid host caused a 500.
    assert.equal((await post({ authorization, host: 'é:x' })).status, 200)
    const listening = await send({ method: 'GET', url: '/mcp', headers: { authorization } })
    assert.deepEqual([listening.status, listening.headers.allow], [405, 'POST'])
    assert.match(errorOf(listening), /POST/)
  })
})
