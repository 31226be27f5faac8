import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { BaseMessage } from '@langchain/core/messages'
import { AIMessageChunk } from '@langchain/core/messages'
import { ChatGenerationChunk } from '@langchain/core/outputs'
import { FakeListChatModel } from '@langchain/core/utils/testing'
import type { Log } from '@plumbline/contract'
import { createClient } from './index.ts'
import { plumblineCallback } from './langchain.ts'
import { startService } from './testing.ts'

const { url, workspace } = await startService()
const plumbline = createClient({ baseUrl: url, apiKey: workspace.key.secret, batchDelayMs: 1 })

type StoredGeneration = Extract<Log, { type: 'generation' }> & {
  readonly model?: string
  readonly serviceTier?: string
}

/** Streams the given messages, and then ends. */
class ScriptedModel extends FakeListChatModel {
  readonly #chunks: readonly AIMessageChunk[]

  constructor(chunks: readonly AIMessageChunk[]) {
    super({ responses: [''] })
    this.#chunks = chunks
  }

  override async *_streamResponseChunks(
    _messages: BaseMessage[],
    _options: this['ParsedCallOptions'],
    runManager?: Parameters<FakeListChatModel['_streamResponseChunks']>[2],
  ): AsyncGenerator<ChatGenerationChunk> {
    for (const message of this.#chunks) {
      const text = typeof message.content === 'string' ? message.content : ''
      const chunk = new ChatGenerationChunk({ message, text })
      yield chunk
      await runManager?.handleLLMNewToken(text, undefined, undefined, undefined, undefined, { chunk })
    }
  }
}

/** The generation from a stream of these messages, as stored. */
async function streamOf(...chunks: AIMessageChunk[]): Promise<StoredGeneration> {
  const trace = plumbline.trace({ name: 'stream' })
  const callbacks = [plumblineCallback({ plumbline, parent: trace })]
  for await (const _chunk of await new ScriptedModel(chunks).stream('Where?', { callbacks }));
  trace.end()
  await plumbline.flush()
  const response = await plumbline.traces.get({ id: trace.traceId })
  // Safe: these are the fields that the tests read.
  return response.trace.logs.find(({ type }) => type === 'generation') as unknown as StoredGeneration
}

it('a stream has the time until the model wrote its first content', async () => {
  const empty = new AIMessageChunk('')
  const text = new AIMessageChunk('In Lyon.')
  const toolCall = new AIMessageChunk({
    content: '',
    tool_call_chunks: [{ index: 0, id: 'c1', name: 'find', args: '{}', type: 'tool_call_chunk' }],
  })
  assert.equal((await streamOf(empty, empty)).timeToFirstTokenMs, null)
  for (const chunk of [text, toolCall])
    assert.equal(typeof (await streamOf(empty, chunk)).timeToFirstTokenMs, 'number')
})

it('a call has the tier in the response', async () => {
  const usage_metadata = { input_tokens: 10, output_tokens: 5, total_tokens: 15 }
  const response_metadata = { model_name: 'gpt-5', service_tier: 'flex' }
  const log = await streamOf(new AIMessageChunk({ content: 'In Lyon.', usage_metadata, response_metadata }))
  assert.deepEqual([log.model, log.inputTokens, log.serviceTier], ['gpt-5', 10, 'flex'])
})
