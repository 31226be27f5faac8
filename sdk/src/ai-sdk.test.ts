import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { operations } from '@plumbline/contract'
import { generateText, streamText } from 'ai'
import { MockLanguageModelV3, simulateReadableStream } from 'ai/test'
import { wrapModel } from './ai-sdk.ts'
import { createClient, type TraceRecording } from './index.ts'
import { startService } from './testing.ts'

const { url, workspace } = await startService()
const plumbline = createClient({ baseUrl: url, apiKey: workspace.key.secret, batchDelayMs: 1 })

const usage = {
  inputTokens: { total: 10, noCache: 4, cacheRead: 6, cacheWrite: undefined },
  outputTokens: { total: 4, text: 2, reasoning: 2 },
}
const finishReason = { unified: 'stop' as const, raw: 'stop' }
const spoken = new MockLanguageModelV3({
  provider: 'openai.chat',
  modelId: 'gpt-4o',
  doGenerate: async () => ({
    content: [{ type: 'text', text: 'Hello.' }],
    finishReason,
    usage,
    warnings: [],
  }),
  doStream: async () => ({
    stream: simulateReadableStream({
      chunks: [
        { type: 'text-start', id: '1' },
        { type: 'text-delta', id: '1', delta: 'Hel' },
        { type: 'text-delta', id: '1', delta: 'lo.' },
        { type: 'text-end', id: '1' },
        { type: 'tool-call', toolCallId: 'c1', toolName: 'find', input: '{"q":"Lyon"}' },
        { type: 'finish', finishReason, usage },
      ],
    }),
  }),
})
const model = wrapModel(spoken, { plumbline, generation: { metadata: { team: 'a' } } })

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

type StreamResult = Awaited<ReturnType<MockLanguageModelV3['doStream']>>
type StreamPart = StreamResult['stream'] extends ReadableStream<infer Part> ? Part : never

describe('a wrapped AI SDK model', () => {
  it('records generated text with its tokens', async () => {
    const [log] = await logsOf(async () => {
      const { text } = await generateText({ model, prompt: 'Hi', temperature: 0 })
      assert.equal(text, 'Hello.')
    })
    assert.ok(log!.type === 'generation')
    assert.deepEqual(log!.output, { role: 'assistant', content: 'Hello.' })
    assert.deepEqual([log!.inputTokens, log!.outputTokens], [10, 4])
    assert.deepEqual([log!.provider, log!.model], ['openai', 'gpt-4o'])
    assert.match(JSON.stringify(log!.input), /"Hi"/)
    const metadata = log!.metadata as Record<string, unknown>
    assert.deepEqual([metadata.finishReason, metadata.team], ['stop', 'a'])
  })

  it('records a stream, assembled', async () => {
    const [log] = await logsOf(async () => {
      let text = ''
      for await (const part of streamText({ model, prompt: 'Hi' }).textStream) text += part
      assert.equal(text, 'Hello.')
    })
    assert.deepEqual((log!.output as { content: unknown }).content, [
      { type: 'text', text: 'Hello.' },
      { type: 'tool-call', toolCallId: 'c1', toolName: 'find', input: '{"q":"Lyon"}' },
    ])
    assert.ok(log!.type === 'generation')
    assert.equal(log!.outputTokens, 4)
    assert.equal(typeof log!.timeToFirstTokenMs, 'number')
  })

  /** A stream of two parts, followed by what the test specifies. */
  const modelThat = (
    finish: (
      parts: ReadableStreamDefaultController<StreamPart>,
      signal?: AbortSignal,
    ) => void | Promise<void>,
  ) => {
    const parts: StreamPart[] = [
      { type: 'text-start', id: '1' },
      { type: 'text-delta', id: '1', delta: 'In ' },
    ]
    const streaming = new MockLanguageModelV3({
      doStream: async ({ abortSignal }) => ({
        stream: new ReadableStream<StreamPart>({
          pull(controller: ReadableStreamDefaultController<StreamPart>) {
            const part = parts.shift()
            return part === undefined ? finish(controller, abortSignal) : controller.enqueue(part)
          },
        }),
      }),
    })
    return wrapModel(streaming, { plumbline })
  }

  it('records the received part of a stream that breaks, with the error', async () => {
    const broken = modelThat((parts) => parts.error(new Error('socket hang up')))
    const [log] = await logsOf(async () => {
      await streamText({ model: broken, prompt: 'Hi', maxRetries: 0, onError() {} }).consumeStream()
    })
    assert.deepEqual(log!.output, { role: 'assistant', content: 'In ' })
    assert.match(JSON.stringify(log!.metadata), /socket hang up/)
  })

  it('records an aborted stream as an error, and an abandoned one without an error', async () => {
    const controller = new AbortController()
    const endless = () =>
      modelThat(
        (parts, signal) =>
          new Promise<void>(() => signal?.addEventListener('abort', () => parts.error(signal.reason))),
      )
    const [aborted] = await logsOf(async () => {
      const { textStream } = streamText({
        model: endless(),
        prompt: 'Hi',
        abortSignal: controller.signal,
        onError() {},
      })
      await assert.rejects(async () => {
        for await (const _part of textStream) controller.abort(new Error('The user left.'))
      }, /The user left/)
    })
    assert.match(JSON.stringify(aborted!.metadata), /The user left/)
    const [left] = await logsOf(async () => {
      const { stream } = await endless().doStream({ prompt: [] })
      for await (const part of stream) if (part.type === 'text-delta') break
    })
    assert.deepEqual(left!.output, { role: 'assistant', content: 'In ' })
    assert.ok(!('error' in (left!.metadata as object)))
  })

  it('records the abort of a stream that the model continues, once it is no longer read', async () => {
    const controller = new AbortController()
    const deaf = modelThat(() => new Promise<void>(() => {}))
    const [log] = await logsOf(async () => {
      const { stream } = await deaf.doStream({ prompt: [], abortSignal: controller.signal })
      for await (const part of stream) {
        if (part.type !== 'text-delta') continue
        controller.abort(new Error('The user left.'))
        break
      }
    })
    assert.match(JSON.stringify(log!.metadata), /The user left/)
  })

  it('records no time to first token for a stream without tokens', async () => {
    const readUntil = async (type: string) => {
      const { stream } = await modelThat((parts) => parts.close()).doStream({ prompt: [] })
      for await (const part of stream) if (part.type === type) break
    }
    const [unread] = await logsOf(() => readUntil('text-start'))
    const [partlyRead] = await logsOf(() => readUntil('text-delta'))
    assert.ok(unread?.type === 'generation' && partlyRead?.type === 'generation')
    assert.deepEqual([unread.timeToFirstTokenMs, typeof partlyRead.timeToFirstTokenMs], [null, 'number'])
  })

  it('records the model that responded, its tier, and no first token for an empty start of a text', async () => {
    const answering = { modelId: 'gpt-5-2025-08-07' }
    const providerMetadata = { openai: { serviceTier: 'flex' } }
    const begin: StreamPart[] = [
      { type: 'response-metadata', ...answering },
      { type: 'text-start', id: '1' },
      { type: 'text-delta', id: '1', delta: '' },
    ]
    const finish: StreamPart = { type: 'finish', finishReason, usage, providerMetadata }
    const routed = new MockLanguageModelV3({
      provider: 'gateway',
      modelId: 'auto',
      doGenerate: async () => ({
        content: [{ type: 'text', text: 'Hello.' }],
        finishReason,
        usage,
        warnings: [],
        response: answering,
        providerMetadata,
      }),
      doStream: async () => ({ stream: simulateReadableStream({ chunks: [...begin, finish] }) }),
    })
    const logs = await logsOf(async () => {
      await generateText({ model: wrapModel(routed, { plumbline }), prompt: 'Hi' })
      await streamText({ model: wrapModel(routed, { plumbline }), prompt: 'Hi' }).consumeStream()
    })
    for (const log of logs) {
      assert.ok(log.type === 'generation')
      assert.deepEqual(
        [log.model, 'serviceTier' in log && log.serviceTier, log.timeToFirstTokenMs],
        ['gpt-5-2025-08-07', 'flex', null],
      )
    }
  })

  it('records a failure and rethrows it', async () => {
    const broken = new MockLanguageModelV3({
      doGenerate: async () => {
        throw new Error('No such model.')
      },
    })
    const [log] = await logsOf(() =>
      assert.rejects(
        generateText({ model: wrapModel(broken, { plumbline }), prompt: 'Hi', maxRetries: 0 }),
        /No such model/,
      ),
    )
    assert.match(JSON.stringify(log!.metadata), /No such model/)
  })
})
