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

describe('a wrapped model of the AI SDK', () => {
  it('records what is generated, with its tokens', async () => {
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

  it('records a stream, put together', async () => {
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
  })

  it('passes a failure on, recorded', async () => {
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
