/** Streams of the vendors' real clients, event by event, with the token counts of their documented responses. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, describe, it } from 'node:test'
import Anthropic from '@anthropic-ai/sdk'
import {
  BedrockRuntimeClient,
  ConverseStreamCommand,
  InvokeModelWithResponseStreamCommand,
} from '@aws-sdk/client-bedrock-runtime'
import { GoogleGenAI } from '@google/genai'
import type { Log } from '@plumbline/contract'
import { EventStreamCodec } from '@smithy/eventstream-codec'
import { NodeHttpHandler } from '@smithy/node-http-handler'
import OpenAI from 'openai'
import { eventually } from '../../../fixtures/eventually.ts'
import { wrapAnthropic } from '../anthropic.ts'
import { wrapBedrock } from '../bedrock.ts'
import { wrapGoogle } from '../google.ts'
import { createClient, type TraceRecording } from '../index.ts'
import { wrapOpenAI } from '../openai.ts'
import { startService } from '../testing.ts'

const { url, workspace } = await startService()
const plumbline = createClient({ baseUrl: url, apiKey: workspace.key.secret, batchDelayMs: 1 })

/** The next response of the server: an object, stream events, or AWS events. */
let reply: object | readonly object[] | Uint8Array
const server = createServer(async (request, response) => {
  for await (const _chunk of request);
  if (reply instanceof Uint8Array) {
    response.writeHead(200, { 'content-type': 'application/vnd.amazon.eventstream' }).end(reply)
  } else if (Array.isArray(reply)) {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const event of reply) {
      const name = 'type' in event ? `event: ${event.type}\n` : ''
      response.write(`${name}data: ${JSON.stringify(event)}\n\n`)
    }
    response.end()
  } else {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(reply))
  }
}).listen(0, '127.0.0.1')
await once(server, 'listening')
after(() => {
  server.close()
  server.closeAllConnections()
})
const baseURL = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

/** The calls that a function makes, as stored. */
async function callsOf(act: () => Promise<unknown>): Promise<readonly StoredGeneration[]> {
  let recording: TraceRecording | undefined
  await plumbline.trace({ name: 'calls' }, async (trace) => {
    recording = trace
    await act()
  })
  await plumbline.flush()
  const { trace } = await plumbline.traces.get({ id: recording!.traceId })
  // Safe: these are the fields that the tests read.
  return trace.logs.filter(({ id }) => id !== recording!.id) as unknown as StoredGeneration[]
}

type StoredGeneration = Extract<Log, { type: 'generation' }> & {
  readonly metadata: Readonly<Record<string, unknown>>
  readonly usage: Readonly<Record<string, number>>
  readonly serviceTier?: string
}

/** Reads a stream up to an event, and stops there. */
async function readUntil<Item>(stream: AsyncIterable<Item>, isLast: (item: Item) => boolean): Promise<void> {
  for await (const item of stream) if (isLast(item)) break
}

describe("OpenAI's client", () => {
  const openai = wrapOpenAI(new OpenAI({ apiKey: 'any', baseURL, maxRetries: 0 }), { plumbline })
  const messages = [{ role: 'user' as const, content: 'Where?' }]
  const chunk = (delta: object) => ({
    id: 'x',
    object: 'chat.completion.chunk',
    model: 'gpt-4o',
    choices: [{ index: 0, delta }],
  })
  const usage = { prompt_tokens: 1000, completion_tokens: 1000, total_tokens: 2000 }

  it('waits for a token until the model has written one', async () => {
    reply = [chunk({ role: 'assistant', content: '' }), chunk({ content: 'In Lyon.' })]
    const chat = () => openai.chat.completions.create({ model: 'gpt-4o', messages, stream: true })
    const chats = await callsOf(async () => {
      await readUntil(await chat(), () => true)
      await readUntil(await chat(), ({ choices }) => choices[0]?.delta.content !== '')
    })
    const response = { id: 'r1', model: 'gpt-5', status: 'in_progress', output: [], usage: null }
    reply = [
      { type: 'response.created', sequence_number: 0, response },
      { type: 'response.in_progress', sequence_number: 1, response },
      { type: 'response.output_text.delta', sequence_number: 2, delta: 'In Lyon.' },
    ]
    const respond = () => openai.responses.create({ model: 'gpt-5', input: 'Where?', stream: true })
    const responses = await callsOf(async () => {
      await readUntil(await respond(), ({ type }) => type === 'response.in_progress')
      await readUntil(await respond(), ({ type }) => type === 'response.output_text.delta')
    })
    for (const [before, withToken] of [chats, responses]) {
      assert.equal(before!.timeToFirstTokenMs, null)
      assert.equal(typeof withToken!.timeToFirstTokenMs, 'number')
    }
  })

  it('records a stream that the caller aborts as an error, although it ends normally for the caller', async () => {
    reply = [chunk({ content: 'In ' }), chunk({ content: 'Lyon.' })]
    const controller = new AbortController()
    const [log] = await callsOf(async () => {
      const options = { signal: controller.signal }
      const stream = await openai.chat.completions.create(
        { model: 'gpt-4o', messages, stream: true },
        options,
      )
      for await (const _chunk of stream) controller.abort(new Error('The user left.'))
    })
    assert.deepEqual(log!.metadata.error, { name: 'Error', message: 'The user left.' })
    assert.match(JSON.stringify(log!.output), /In /)
  })

  it('prices a call by the tier in the response', async () => {
    const call = (tier: string) => async () => {
      const completion = {
        id: 'x',
        model: 'gpt-5',
        choices: [{ index: 0, message: { role: 'assistant', content: 'In Lyon.' }, finish_reason: 'stop' }],
        usage,
        service_tier: tier,
      }
      reply = completion
      await openai.chat.completions.create({ model: 'gpt-5', messages })
      reply = [{ ...completion, choices: [{ index: 0, delta: { content: 'In Lyon.' } }] }]
      for await (const _chunk of await openai.chat.completions.create({
        model: 'gpt-5',
        messages,
        stream: true,
      }));
      reply = {
        id: 'r1',
        model: 'gpt-5',
        status: 'completed',
        output: [],
        usage: { input_tokens: 1000, output_tokens: 1000 },
        service_tier: tier,
      }
      await openai.responses.create({ model: 'gpt-5', input: 'Where?' })
    }
    const standard = await callsOf(call('default'))
    const flex = await callsOf(call('flex'))
    assert.deepEqual(
      flex.map(({ serviceTier, cost }) => [serviceTier, cost]),
      standard.map(({ cost }) => ['flex', Number(cost) / 2]),
    )
  })
})

describe("Anthropic's client", () => {
  const anthropic = wrapAnthropic(new Anthropic({ apiKey: 'any', baseURL, maxRetries: 0 }), { plumbline })
  const request = {
    model: 'claude-opus-4-8',
    max_tokens: 100,
    messages: [{ role: 'user' as const, content: 'Where?' }],
  }
  const citation = { type: 'char_location', cited_text: 'Lyon', document_index: 0 }
  const events = [
    {
      type: 'message_start',
      message: { role: 'assistant', model: 'claude-opus-4-8', content: [], usage: { input_tokens: 5 } },
    },
    {
      type: 'content_block_start',
      index: 0,
      content_block: { type: 'thinking', thinking: '', signature: '' },
    },
    { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'A place.' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'signature_delta', signature: 'signed' } },
    { type: 'content_block_start', index: 1, content_block: { type: 'text', text: '', citations: [] } },
    { type: 'content_block_delta', index: 1, delta: { type: 'citations_delta', citation } },
    { type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text: 'In Lyon.' } },
    { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 9 } },
    { type: 'message_stop' },
  ]

  it('records citations and signatures of a stream like those of a whole message', async () => {
    reply = events
    const [log] = await callsOf(async () => {
      for await (const _event of await anthropic.messages.create({ ...request, stream: true }));
    })
    assert.deepEqual((log!.output as { content: unknown }).content, [
      { type: 'thinking', thinking: 'A place.', signature: 'signed' },
      { type: 'text', text: 'In Lyon.', citations: [citation] },
    ])
  })

  it('waits for a token until the model has written one', async () => {
    reply = events
    const read = async (type: string) =>
      readUntil(await anthropic.messages.create({ ...request, stream: true }), (event) => event.type === type)
    const [before, withToken] = await callsOf(async () => {
      await read('content_block_start')
      await read('content_block_delta')
    })
    assert.deepEqual([before!.timeToFirstTokenMs, typeof withToken!.timeToFirstTokenMs], [null, 'number'])
  })
})

describe("Google's client", () => {
  const google = wrapGoogle(new GoogleGenAI({ apiKey: 'any', httpOptions: { baseUrl: baseURL } }), {
    plumbline,
  })
  const model = 'gemini-2.5-flash'
  const part = (text: string) => ({
    candidates: [{ content: { role: 'model', parts: [{ text }] }, index: 0 }],
    modelVersion: model,
  })

  it('records a stream that is read one part at a time, even if it is abandoned before the first', async () => {
    reply = [part('In '), part('Lyon.')]
    const logs = await callsOf(async () => {
      const stream = await google.models.generateContentStream({ model, contents: 'Where?' })
      const texts: unknown[] = []
      for (let step = await stream.next(); step.done !== true; step = await stream.next())
        texts.push(step.value.text)
      assert.deepEqual(texts, ['In ', 'Lyon.'])
      const other = await google.models.generateContentStream({ model, contents: 'Where?' })
      assert.deepEqual(await other.return(undefined), { value: undefined, done: true })
      assert.deepEqual(await other.next(), { value: undefined, done: true })
    })
    assert.deepEqual(
      logs.map(({ output }) => output),
      [
        { role: 'assistant', parts: [{ text: 'In Lyon.' }] },
        { role: 'assistant', parts: [] },
      ],
    )
  })

  it('counts thoughts that left no room for an answer', async () => {
    reply = {
      candidates: [{ content: { role: 'model' }, finishReason: 'MAX_TOKENS' }],
      usageMetadata: { promptTokenCount: 8, thoughtsTokenCount: 100, totalTokenCount: 108 },
      modelVersion: model,
    }
    const [log] = await callsOf(() => google.models.generateContent({ model, contents: 'Where?' }))
    assert.deepEqual([log!.outputTokens, log!.usage.reasoning], [100, 100])
  })

  it('leaves out the headers of a call', async () => {
    reply = part('In Lyon.')
    const config = { temperature: 0, httpOptions: { headers: { authorization: 'secret' } } }
    const [log] = await callsOf(() => google.models.generateContent({ model, contents: 'Where?', config }))
    assert.deepEqual(log!.metadata.parameters, { temperature: 0 })
  })

  it('ends a call when its response has arrived, even if it is not awaited', async () => {
    reply = part('In Lyon.')
    const logs = await callsOf(async () => {
      const before = plumbline.stats.delivered
      void google.models.generateContent({ model, contents: 'Where?' })
      await eventually(async () => assert.equal(plumbline.stats.delivered, before + 1))
    })
    assert.equal(logs.length, 1)
  })
})

describe('the AWS Bedrock client', () => {
  const bedrock = wrapBedrock(
    new BedrockRuntimeClient({
      region: 'eu-west-3',
      endpoint: baseURL,
      credentials: { accessKeyId: 'any', secretAccessKey: 'any' },
      // The server speaks HTTP/1.
      requestHandler: new NodeHttpHandler(),
    }),
    { plumbline },
  )
  const modelId = 'anthropic.claude-3-5-sonnet-20240620-v1:0'
  const text = (value: string) => ({ type: 'string' as const, value })
  const encode = (type: string, event: object) =>
    new EventStreamCodec(String, (bytes) => Buffer.from(bytes)).encode({
      headers: {
        ':message-type': text('event'),
        ':event-type': text(type),
        ':content-type': text('application/json'),
      },
      body: Buffer.from(JSON.stringify(event)),
    })

  it('records the thoughts of a conversation', async () => {
    const delta = (reasoningContent: object) =>
      encode('contentBlockDelta', { contentBlockIndex: 0, delta: { reasoningContent } })
    reply = Buffer.concat([
      encode('messageStart', { role: 'assistant' }),
      delta({ text: 'A ' }),
      delta({ text: 'place.' }),
      delta({ signature: 'signed' }),
      encode('contentBlockDelta', { contentBlockIndex: 1, delta: { text: 'In Lyon.' } }),
      encode('messageStop', { stopReason: 'end_turn' }),
    ])
    const [log] = await callsOf(async () => {
      const messages = [{ role: 'user' as const, content: [{ text: 'Where?' }] }]
      const { stream } = await bedrock.send(new ConverseStreamCommand({ modelId, messages }))
      for await (const _event of stream!);
    })
    assert.deepEqual((log!.output as { content: unknown }).content, [
      { reasoningContent: { reasoningText: { text: 'A place.', signature: 'signed' } } },
      { text: 'In Lyon.' },
    ])
  })

  it("records the tokens of a stream of a model's own protocol", async () => {
    const metrics = {
      inputTokenCount: 12,
      outputTokenCount: 34,
      invocationLatency: 1,
      firstByteLatency: 1,
      cacheReadInputTokenCount: 5,
    }
    const chunk = (body: object) =>
      encode('chunk', { bytes: Buffer.from(JSON.stringify(body)).toString('base64') })
    reply = Buffer.concat([
      chunk({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'In Lyon.' } }),
      chunk({ type: 'message_stop', 'amazon-bedrock-invocationMetrics': metrics }),
    ])
    const [log] = await callsOf(async () => {
      const { body } = await bedrock.send(
        new InvokeModelWithResponseStreamCommand({ modelId, body: JSON.stringify({ messages: [] }) }),
      )
      for await (const _event of body!);
    })
    assert.deepEqual([log!.inputTokens, log!.outputTokens, log!.usage.cacheRead], [12, 34, 5])
  })
})
