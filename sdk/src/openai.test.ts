import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, describe, it } from 'node:test'
import { operations } from '@plumbline/contract'
import OpenAI from 'openai'
import { createClient, type TraceRecording } from './index.ts'
import { wrapOpenAI } from './openai.ts'
import { startService } from './testing.ts'

const { url, workspace } = await startService()
const plumbline = createClient({ baseUrl: url, apiKey: workspace.key.secret, batchDelayMs: 1 })

const toolCall = { id: 'c1', type: 'function', function: { name: 'find', arguments: '{"q":"Lyon"}' } }
const usage = {
  prompt_tokens: 10,
  completion_tokens: 4,
  total_tokens: 14,
  prompt_tokens_details: { cached_tokens: 6 },
}
const chunks = [
  { choices: [{ index: 0, delta: { role: 'assistant', content: 'Hel' } }] },
  { choices: [{ index: 0, delta: { content: 'lo.' } }] },
  {
    choices: [
      {
        index: 0,
        delta: { tool_calls: [{ index: 0, ...toolCall, function: { name: 'find', arguments: '{"q":' } }] },
      },
    ],
  },
  { choices: [{ index: 0, delta: { tool_calls: [{ index: 0, function: { arguments: '"Lyon"}' } }] } }] },
  { choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] },
  { choices: [], usage },
]
/** Streams as from servers of open models: with reasoning, call ids that are empty in later chunks, or calls without an index. */
const openModelChunks = [
  { choices: [{ index: 0, delta: { role: 'assistant', reasoning_content: 'He wants ' } }] },
  { choices: [{ index: 0, delta: { reasoning_content: 'a place.', content: null } }] },
  {
    choices: [
      {
        index: 0,
        delta: { tool_calls: [{ index: 0, ...toolCall, function: { name: 'find', arguments: '{"q":' } }] },
      },
    ],
  },
  {
    choices: [
      {
        index: 0,
        delta: {
          tool_calls: [{ index: 0, id: '', type: null, function: { name: null, arguments: '"Lyon"}' } }],
        },
      },
    ],
  },
  { choices: [{ index: 0, delta: { tool_calls: [{ ...toolCall, id: 'c2' }] } }] },
  { choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] },
]
const response = {
  id: 'r1',
  object: 'response',
  model: 'gpt-4o-2024-08-06',
  status: 'completed',
  output: [
    {
      type: 'message',
      role: 'assistant',
      content: [{ type: 'output_text', text: 'Hello.', annotations: [] }],
    },
  ],
  usage: {
    input_tokens: 10,
    output_tokens: 4,
    total_tokens: 14,
    output_tokens_details: { reasoning_tokens: 2 },
  },
}

/** Responds like OpenAI's server. */
const server = createServer(async (request, answer) => {
  let text = ''
  for await (const chunk of request) text += chunk
  const body = JSON.parse(text) as { model: string; stream?: boolean }
  if (body.model === 'broken') {
    answer.writeHead(400, { 'content-type': 'application/json' })
    answer.end('{"error":{"message":"No such model."}}')
    return
  }
  const isChat = request.url!.endsWith('/chat/completions')
  if (body.stream) {
    const events = isChat
      ? (body.model === 'open-model' ? openModelChunks : chunks).map((chunk) => ({
          id: 'x',
          object: 'chat.completion.chunk',
          model: 'gpt-4o-2024-08-06',
          ...chunk,
        }))
      : [
          { type: 'response.output_text.delta', delta: 'Hello.' },
          { type: 'response.completed', response },
        ]
    answer.writeHead(200, { 'content-type': 'text/event-stream' })
    answer.end(`${events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')}data: [DONE]\n\n`)
    return
  }
  const message = { role: 'assistant', content: 'Hello.', refusal: null }
  const completion = {
    id: 'x',
    object: 'chat.completion',
    model: 'gpt-4o-2024-08-06',
    choices: [{ index: 0, message, finish_reason: 'stop' }],
    usage,
  }
  answer.writeHead(200, { 'content-type': 'application/json', 'x-request-id': 'req_1' })
  answer.end(JSON.stringify(isChat ? completion : response))
}).listen(0, '127.0.0.1')
await once(server, 'listening')
after(() => {
  server.close()
  server.closeAllConnections()
})

const raw = new OpenAI({
  apiKey: 'none',
  baseURL: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
  maxRetries: 0,
})
const openai = wrapOpenAI(raw, { plumbline })
const messages = [{ role: 'user' as const, content: 'Hi' }]

/** The logs of the trace in which a call was made. */
async function logsOf(act: () => Promise<unknown>) {
  let recording: TraceRecording | undefined
  await plumbline.trace({}, (trace) => {
    recording = trace
    return act()
  })
  await plumbline.flush()
  const recorded = await recording!.recorded()
  const { trace } = await workspace.ok(operations.traces.get, { id: recorded!.trace.id })
  return trace.logs.filter(({ id }) => id !== recording!.id)
}

describe('a wrapped OpenAI client', () => {
  it('records a chat completion and returns the response unchanged', async () => {
    const logs = await logsOf(async () => {
      const completion = await openai.chat.completions.create({ model: 'gpt-4o', messages, temperature: 0 })
      assert.equal(completion.choices[0]!.message.content, 'Hello.')
      const { data, request_id } = await openai.chat.completions
        .create({ model: 'gpt-4o', messages })
        .withResponse()
      assert.deepEqual([data.model, request_id], ['gpt-4o-2024-08-06', 'req_1'])
    })
    assert.equal(logs.length, 2)
    const [log] = logs
    assert.ok(log!.type === 'generation')
    assert.deepEqual(log!.input, messages)
    assert.deepEqual(log!.output, { role: 'assistant', content: 'Hello.', refusal: null })
    assert.deepEqual([log!.inputTokens, log!.outputTokens, log!.model], [10, 4, 'gpt-4o-2024-08-06'])
    assert.ok(Number(log!.cost) > 0)
    const { parameters, finishReason } = log!.metadata as Record<string, unknown>
    assert.deepEqual([parameters, finishReason], [{ temperature: 0 }, 'stop'])
  })

  it('records a stream while it is read, assembled, however it is read', async () => {
    for (const read of ['whole', 'tee'] as const) {
      const logs = await logsOf(async () => {
        const stream = await openai.chat.completions.create({
          model: 'gpt-4o',
          messages,
          stream: true,
          stream_options: { include_usage: true },
        })
        let count = 0
        for await (const _chunk of read === 'tee' ? stream.tee()[0] : stream) count++
        assert.equal(count, chunks.length)
      })
      assert.deepEqual(logs[0]!.output, {
        role: 'assistant',
        content: 'Hello.',
        tool_calls: [{ ...toolCall, index: 0 }],
      })
      assert.ok(logs[0]!.type === 'generation')
      assert.deepEqual([logs[0]!.inputTokens, logs[0]!.outputTokens], [10, 4])
    }
  })

  it('assembles streams from servers of open models', async () => {
    const logs = await logsOf(async () => {
      const stream = await openai.chat.completions.create({ model: 'open-model', messages, stream: true })
      for await (const _chunk of stream);
    })
    assert.deepEqual(logs[0]!.output, {
      role: 'assistant',
      content: null,
      reasoning_content: 'He wants a place.',
      tool_calls: [
        { ...toolCall, index: 0 },
        { ...toolCall, id: 'c2', index: 1 },
      ],
    })
  })

  it('records the part of an abandoned stream that was read', async () => {
    const logs = await logsOf(async () => {
      const stream = await openai.chat.completions.create({ model: 'gpt-4o', messages, stream: true })
      for await (const _chunk of stream) break
    })
    assert.deepEqual(logs[0]!.output, { role: 'assistant', content: 'Hel' })
  })

  it('records the Responses API, whole and streamed', async () => {
    const logs = await logsOf(async () => {
      const answer = await openai.responses.create({ model: 'gpt-4o', input: 'Hi', instructions: 'Be kind.' })
      assert.equal(answer.output_text, 'Hello.')
      const stream = await openai.responses.create({ model: 'gpt-4o', input: 'Hi', stream: true })
      for await (const _event of stream);
    })
    for (const log of logs) {
      assert.ok(log.type === 'generation')
      assert.deepEqual([log.output, log.inputTokens, log.outputTokens], [response.output, 10, 4])
    }
    assert.deepEqual(logs[0]!.input, { instructions: 'Be kind.', input: 'Hi' })
  })

  it('records calls whose promise is used by convenience methods', async () => {
    // Like `responses.stream()` in version 7 of the package.
    type StreamPromise = Promise<AsyncIterable<object>>
    const derive = (call: object) =>
      (call as { _thenUnwrap(transform: (stream: object) => object): StreamPromise })._thenUnwrap(
        (stream) => stream,
      )
    const logs = await logsOf(async () => {
      const stream = await derive(openai.responses.create({ model: 'gpt-4o', input: 'Hi', stream: true }))
      for await (const _event of stream);
      await assert.rejects(derive(openai.responses.create({ model: 'broken', input: 'Hi' })), /No such model/)
    })
    assert.deepEqual(logs[0]!.output, response.output)
    assert.match(JSON.stringify(logs[1]!.metadata), /No such model/)
  })

  it('records a failure and rethrows it', async () => {
    const logs = await logsOf(async () => {
      await assert.rejects(
        openai.chat.completions.create({ model: 'broken', messages }),
        OpenAI.BadRequestError,
      )
    })
    assert.match(JSON.stringify(logs[0]!.metadata), /No such model/)
  })

  it('leaves raw responses and everything else alone', async () => {
    const logs = await logsOf(async () => {
      const bare = await openai.chat.completions.create({ model: 'gpt-4o', messages }).asResponse()
      assert.equal(((await bare.json()) as { id: string }).id, 'x')
    })
    assert.equal(logs.length, 1)
    assert.equal(openai.baseURL, raw.baseURL)
    assert.equal(typeof openai.embeddings.create, 'function')
  })

  it('has the same parts and classes, and mocks in it stay mocks', async (context) => {
    const client = new OpenAI({ apiKey: 'any', baseURL: 'http://localhost' })
    const wrapped = wrapOpenAI(client, { plumbline })
    assert.deepEqual([wrapped.constructor, wrapped.chat.constructor], [OpenAI, client.chat.constructor])
    const { chat, post } = wrapped
    assert.deepEqual([wrapped.chat === chat, wrapped.post === post], [true, true])
    assert.equal(wrapped.chat.completions.create.name, 'create')
    context.mock.method(wrapped.chat.completions, 'create', async () => ({ choices: [] }))
    await wrapped.chat.completions.create({ model: 'gpt-4o', messages })
    const { mock } = wrapped.chat.completions.create as unknown as { mock: { callCount(): number } }
    assert.equal(mock.callCount(), 1)
    context.mock.restoreAll()
  })

  it('records the calls of a copy with other options', async () => {
    const logs = await logsOf(() =>
      openai.withOptions({ timeout: 20_000 }).chat.completions.create({ model: 'gpt-4o', messages }),
    )
    assert.deepEqual(
      logs.map(({ name }) => name),
      ['openai.chat gpt-4o'],
    )
  })

  it('records a call outside of any trace as a trace of its own', async () => {
    const before = plumbline.stats.delivered
    await openai.chat.completions.create({ model: 'gpt-4o', messages })
    await plumbline.flush()
    assert.equal(plumbline.stats.delivered, before + 1)
  })
})
