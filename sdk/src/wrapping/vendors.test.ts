/** The vendors' real packages, wrapped, against servers that speak their protocols. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, describe, it } from 'node:test'
import Anthropic from '@anthropic-ai/sdk'
import {
  BedrockRuntimeClient,
  ConverseCommand,
  ConverseStreamCommand,
  InvokeModelCommand,
  ListAsyncInvokesCommand,
} from '@aws-sdk/client-bedrock-runtime'
import { GoogleGenAI } from '@google/genai'
import { RunnableLambda } from '@langchain/core/runnables'
import { FakeListChatModel } from '@langchain/core/utils/testing'
import type { Log } from '@plumbline/contract'
import { EventStreamCodec } from '@smithy/eventstream-codec'
import { NodeHttpHandler } from '@smithy/node-http-handler'
import OpenAI from 'openai'
import { startModelServer } from '../../../fixtures/model-server/server.ts'
import { wrapAnthropic } from '../anthropic.ts'
import { wrapBedrock } from '../bedrock.ts'
import { wrapGoogle } from '../google.ts'
import { createClient, type TraceRecording } from '../index.ts'
import { plumblineCallback } from '../langchain.ts'
import { wrapOpenAI } from '../openai.ts'
import { startService } from '../testing.ts'

const { url, workspace } = await startService()
const plumbline = createClient({ baseUrl: url, apiKey: workspace.key.secret, batchDelayMs: 1 })
const models = await startModelServer()
after(() => models.close())

/** The logs of a trace in which calls were made, without the outermost one. */
async function logsOf(act: () => unknown): Promise<readonly StoredGeneration[]> {
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
  readonly model?: string
  readonly provider?: string
  readonly metadata: Readonly<Record<string, unknown>>
}

/** One stream event in AWS's framing. */
function encodeEvent(type: string, event: object): Uint8Array {
  const text = (value: string) => ({ type: 'string' as const, value })
  return new EventStreamCodec(toUtf8, fromUtf8).encode({
    headers: {
      ':message-type': text('event'),
      ':event-type': text(type),
      ':content-type': text('application/json'),
    },
    body: fromUtf8(JSON.stringify(event)),
  })
}
const toUtf8 = (bytes: Uint8Array | string): string => Buffer.from(bytes as Uint8Array).toString('utf8')
const fromUtf8 = (text: string): Uint8Array => new TextEncoder().encode(text)

/** Responses of vendors that the model server does not speak, in their documented forms. */
const server = createServer(async (request, response) => {
  const path = request.url!.split('?', 1)[0]!
  let text = ''
  for await (const chunk of request) text += chunk
  const gemini = {
    candidates: [
      { content: { role: 'model', parts: [{ text: 'In Lyon.' }] }, finishReason: 'STOP', index: 0 },
    ],
    usageMetadata: {
      promptTokenCount: 8,
      candidatesTokenCount: 3,
      thoughtsTokenCount: 2,
      totalTokenCount: 13,
    },
    modelVersion: 'gemini-2.5-flash-001',
  }
  const usage = { input_tokens: 5, output_tokens: 7, total_tokens: 12 }
  const bodies: [suffix: string, body: object][] = [
    [':generateContent', gemini],
    [':embedContent', { embedding: { values: [0.1, 0.2, 0.3] } }],
    [':batchEmbedContents', { embeddings: [{ values: [0.1, 0.2, 0.3] }] }],
    [
      '/converse',
      {
        output: { message: { role: 'assistant', content: [{ text: 'In Lyon.' }] } },
        stopReason: 'end_turn',
        usage: { inputTokens: 9, outputTokens: 4, totalTokens: 13 },
        metrics: { latencyMs: 1 },
      },
    ],
    [
      '/invoke',
      { content: [{ type: 'text', text: 'In Lyon.' }], usage: { input_tokens: 6, output_tokens: 2 } },
    ],
    ['/async-invoke', { asyncInvokeSummaries: [] }],
    ['/images/generations', { created: 1, data: [{ b64_json: 'AAAA', revised_prompt: 'A parcel.' }], usage }],
    ['/audio/transcriptions', { text: 'Where is my parcel?', usage: { type: 'tokens', ...usage } }],
  ]
  if (path.endsWith(':streamGenerateContent')) {
    const parts = ['In ', 'Lyon.'].map((part, index) => ({
      candidates: [
        { content: { role: 'model', parts: [{ text: part }] }, ...(index === 1 && { finishReason: 'STOP' }) },
      ],
      ...(index === 1 && { usageMetadata: gemini.usageMetadata }),
      modelVersion: gemini.modelVersion,
    }))
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.end(parts.map((part) => `data: ${JSON.stringify(part)}\r\n\r\n`).join(''))
    return
  }
  if (path.endsWith('/converse-stream')) {
    response.writeHead(200, { 'content-type': 'application/vnd.amazon.eventstream' })
    const send = (type: string, event: object) => response.write(encodeEvent(type, event))
    send('messageStart', { role: 'assistant' })
    for (const part of ['In ', 'Lyon.'])
      send('contentBlockDelta', { contentBlockIndex: 0, delta: { text: part } })
    send('messageStop', { stopReason: 'end_turn' })
    send('metadata', {
      usage: { inputTokens: 9, outputTokens: 4, totalTokens: 13 },
      metrics: { latencyMs: 1 },
    })
    response.end()
    return
  }
  if (path.endsWith('/audio/speech')) {
    response.writeHead(200, { 'content-type': 'audio/mpeg' }).end('sound')
    return
  }
  const body = bodies.find(([suffix]) => path.endsWith(suffix))?.[1]
  response.writeHead(body === undefined ? 404 : 200, { 'content-type': 'application/json' })
  response.end(JSON.stringify(body ?? { error: { message: `No ${path}: ${text}` } }))
}).listen(0, '127.0.0.1')
await once(server, 'listening')
after(() => {
  server.close()
  server.closeAllConnections()
})
const other = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

const question = [{ role: 'user' as const, content: 'Where is my parcel?' }]
const facts = ({ name, model, provider, inputTokens, outputTokens }: StoredGeneration) => [
  name,
  model,
  provider,
  Number(inputTokens) > 0,
  Number(outputTokens) > 0,
]

describe("OpenAI's client", () => {
  const openai = wrapOpenAI(new OpenAI({ apiKey: 'any', baseURL: models.url, maxRetries: 0 }), { plumbline })
  const media = wrapOpenAI(new OpenAI({ apiKey: 'any', baseURL: `${other}/v1`, maxRetries: 0 }), {
    plumbline,
  })

  it('records chats, responses and embeddings under descriptive names, and the convenience methods for streams and tools', async () => {
    let streamed = ''
    const logs = await logsOf(async () => {
      await openai.chat.completions.create({ model: 'gpt-4o', messages: question })
      await openai.responses.create({ model: 'gpt-4o', input: 'Hi', instructions: 'Be kind.' })
      await openai.embeddings.create({
        model: 'text-embedding-3-small',
        input: ['a', 'b'],
        encoding_format: 'float',
      })
      const stream = openai.chat.completions.stream({
        model: 'gpt-4o',
        messages: question,
        stream_options: { include_usage: true },
      })
      streamed = (await stream.finalContent()) ?? ''
      await openai.responses.stream({ model: 'gpt-4o', input: 'Hi' }).finalResponse()
    })
    assert.deepEqual(
      logs.map(({ name }) => name),
      [
        'openai.chat gpt-4o',
        'openai.responses gpt-4o',
        'openai.embeddings text-embedding-3-small',
        'openai.chat gpt-4o',
        'openai.responses gpt-4o',
      ],
    )
    assert.deepEqual((logs[2]!.output as { embeddings: number }).embeddings, 2)
    assert.deepEqual(logs[3]!.output, { role: 'assistant', content: streamed })
    assert.equal(typeof logs[3]!.timeToFirstTokenMs, 'number')
    for (const log of logs)
      assert.ok(log.provider === 'open-ai' && Number(log.inputTokens) > 0, log.name ?? '')
  })

  it('records images and audio, without their bytes', async () => {
    const logs = await logsOf(async () => {
      await media.images.generate({ model: 'gpt-image-1', prompt: 'A parcel' })
      await media.audio.transcriptions.create({
        model: 'gpt-4o-transcribe',
        file: new File(['sound'], 'a.mp3'),
      })
      const speech = await media.audio.speech.create({ model: 'tts-1', voice: 'alloy', input: 'Hello.' })
      assert.equal(await speech.text(), 'sound')
    })
    assert.deepEqual(
      logs.map(({ name, input, output }) => [name, input, output]),
      [
        ['openai.images gpt-image-1', 'A parcel', [{ image: '[3 bytes]', revisedPrompt: 'A parcel.' }]],
        ['openai.transcription gpt-4o-transcribe', { file: 'a.mp3' }, 'Where is my parcel?'],
        ['openai.speech tts-1', 'Hello.', '[audio/mpeg]'],
      ],
    )
    assert.deepEqual([logs[0]!.inputTokens, logs[0]!.outputTokens], [5, 7])
  })
})

describe("Anthropic's client", () => {
  const anthropic = wrapAnthropic(
    new Anthropic({ apiKey: 'any', baseURL: models.url.replace(/\/v1$/, ''), maxRetries: 0 }),
    { plumbline },
  )
  const request = { model: 'claude-sonnet-4-5', max_tokens: 100, messages: question, system: 'Be kind.' }

  it('records messages, streams and the convenience method for streams', async () => {
    let text = ''
    const logs = await logsOf(async () => {
      await anthropic.messages.create(request)
      for await (const _event of await anthropic.messages.create({ ...request, stream: true }));
      text = await anthropic.messages.stream(request).finalText()
    })
    assert.equal(logs.length, 3)
    for (const log of logs) {
      assert.deepEqual(facts(log), [
        'anthropic.messages claude-sonnet-4-5',
        'claude-sonnet-4-5',
        'anthropic',
        true,
        true,
      ])
      assert.deepEqual(log.input, [{ role: 'system', content: 'Be kind.' }, ...question])
    }
    assert.deepEqual((logs[2]!.output as { content: unknown }).content, [{ type: 'text', text }])
    assert.deepEqual(logs[1]!.output, logs[2]!.output)
  })

  it('records tool calls and failures', async () => {
    const tools = [
      {
        name: 'getWeather',
        input_schema: {
          type: 'object' as const,
          properties: { city: { type: 'string' } },
          required: ['city'],
        },
      },
    ]
    const logs = await logsOf(async () => {
      for await (const _event of anthropic.messages.stream({ ...request, tools }));
      await assert.rejects(
        anthropic.messages.create({ ...request, model: 'fake-400' }),
        Anthropic.BadRequestError,
      )
    })
    const content = (logs[0]!.output as { content: { type: string; input?: object }[] }).content
    assert.equal(typeof content.find(({ type }) => type === 'tool_use')!.input, 'object')
    assert.ok(logs[1]!.metadata.error)
  })

  it('records each message of its tool runner and of a thread', async () => {
    let count = 0
    const logs = await logsOf(async () => {
      const runner = anthropic.beta.messages.toolRunner({
        model: 'claude-sonnet-4-5',
        max_tokens: 100,
        max_iterations: 3,
        messages: question,
        tools: [
          {
            name: 'getWeather',
            description: 'The weather.',
            input_schema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
            parse: (input: unknown) => input,
            run: () => 'Sunny.',
          },
        ],
      })
      for await (const _message of runner) count++
      await anthropic.beta.messages.thread({ model: 'claude-sonnet-4-5', max_tokens: 100 }).send(question[0]!)
    })
    assert.ok(count >= 2)
    assert.deepEqual(
      logs.map(({ name }) => name),
      Array(count + 1).fill('anthropic.messages claude-sonnet-4-5'),
    )
  })
})

describe("Google's client", () => {
  const google = wrapGoogle(new GoogleGenAI({ apiKey: 'any', httpOptions: { baseUrl: other } }), {
    plumbline,
  })
  const model = 'gemini-2.5-flash'

  it('records content, streams, chats and embeddings', async () => {
    const logs = await logsOf(async () => {
      const config = { systemInstruction: 'Be kind.', temperature: 0 }
      const response = await google.models.generateContent({ model, contents: 'Where?', config })
      assert.equal(response.text, 'In Lyon.')
      let text = ''
      for await (const chunk of await google.models.generateContentStream({ model, contents: 'Where?' }))
        text += chunk.text
      assert.equal(text, 'In Lyon.')
      await google.chats.create({ model }).sendMessage({ message: 'Where?' })
      await google.models.embedContent({ model: 'gemini-embedding-001', contents: 'Where?' })
    })
    assert.deepEqual(
      logs.map(({ name }) => name),
      [
        'google.generate gemini-2.5-flash',
        'google.generate gemini-2.5-flash',
        'google.generate gemini-2.5-flash',
        'google.embeddings gemini-embedding-001',
      ],
    )
    for (const log of logs.slice(0, 3)) {
      assert.deepEqual([log.inputTokens, log.outputTokens, log.model], [8, 5, 'gemini-2.5-flash-001'])
      assert.deepEqual(log.output, { role: 'assistant', parts: [{ text: 'In Lyon.' }] })
    }
    assert.deepEqual((logs[0]!.input as unknown[])[0], { role: 'system', content: 'Be kind.' })
    assert.deepEqual([Number(logs[3]!.inputTokens) > 0, logs[3]!.outputTokens], [true, 0])
  })
})

describe('the AWS Bedrock client', () => {
  // The server speaks HTTP/1.
  const requestHandler = new NodeHttpHandler()
  const credentials = { accessKeyId: 'any', secretAccessKey: 'any' }
  const bedrock = wrapBedrock(
    new BedrockRuntimeClient({ region: 'eu-west-3', endpoint: other, credentials, requestHandler }),
    {
      plumbline,
    },
  )
  const modelId = 'anthropic.claude-3-5-sonnet-20240620-v1:0'

  it('records conversations and invocations, and leaves other commands alone', async () => {
    const logs = await logsOf(async () => {
      const messages = [{ role: 'user' as const, content: [{ text: 'Where?' }] }]
      const { output } = await bedrock.send(
        new ConverseCommand({ modelId, messages, system: [{ text: 'Be kind.' }] }),
      )
      assert.equal(output?.message?.content?.[0]?.text, 'In Lyon.')
      const { stream } = await bedrock.send(new ConverseStreamCommand({ modelId, messages }))
      let text = ''
      for await (const event of stream!) text += event.contentBlockDelta?.delta?.text ?? ''
      assert.equal(text, 'In Lyon.')
      await bedrock.send(new InvokeModelCommand({ modelId, body: JSON.stringify({ messages }) }))
      await bedrock.send(new ListAsyncInvokesCommand({}))
    })
    assert.deepEqual(
      logs.map(({ name, inputTokens, outputTokens }) => [name, inputTokens, outputTokens]),
      [
        [`bedrock.converse ${modelId}`, 9, 4],
        [`bedrock.converse ${modelId}`, 9, 4],
        [`bedrock.invoke ${modelId}`, 6, 2],
      ],
    )
  })
})

describe('LangChain', () => {
  it('records its runs through a callback, nested in the current recording', async () => {
    const callbacks = [plumblineCallback({ plumbline })]
    const model = new FakeListChatModel({ responses: ['In Lyon.'] })
    const chain = RunnableLambda.from((text: string) => `Question: ${text}`)
      .pipe(model)
      .withConfig({ runName: 'support' })
    const logs = await logsOf(async () => {
      const { content } = await chain.invoke('Where?', { callbacks, metadata: { sessionId: 's1' } })
      assert.equal(content, 'In Lyon.')
    })
    const generation = logs.find(({ type }) => type === 'generation')!
    assert.deepEqual(generation.output, { role: 'assistant', content: 'In Lyon.' })
    const support = logs.find(({ name }) => name === 'support')!
    assert.equal(generation.parentId, support.id)
    assert.equal(logs.length, 3)
  })

  it('records failures and rethrows them', async () => {
    const failing = RunnableLambda.from(() => {
      throw new Error('It broke.')
    })
    const logs = await logsOf(async () => {
      await assert.rejects(failing.invoke('x', { callbacks: [plumblineCallback({ plumbline })] }), /It broke/)
    })
    assert.match(JSON.stringify(logs[0]!.metadata), /It broke/)
  })
})
