/** `ai.*`: telemetry of the Vercel AI SDK, versions 3 to 6. */
import type { LogType } from '@plumbline/contract'
import type { AttributeReader } from '../attribute-reader.ts'
import type { Convention, SpanFacts } from '../facts.ts'
import {
  field,
  isObject,
  numberOrUndefined,
  parseJson,
  parseStructure,
  textOrUndefined,
} from '../json-value.ts'
import type { Part } from '../messages/message.ts'
import { readMessages } from '../messages/read-messages.ts'
import { readToolCall } from '../messages/read-part.ts'
import { unquote } from './gen-ai.ts'

export const aiSdk: Convention = {
  name: 'ai-sdk',
  namespaces: ['ai', 'operation'],
  understands: /^(ai\.|operation\.name$|resource\.name$)/,
  read(span) {
    // `operation.name` is the id, a space and the application's own name.
    const operation = span.text('ai.operationId') ?? /^ai\.\S+/.exec(span.text('operation.name') ?? '')?.[0]
    if (operation === undefined && span.text('ai.model.id') === undefined) return undefined
    const functionId = span.text('ai.telemetry.functionId')
    const toolName = span.text('ai.toolCall.name')
    const { userId, sessionId, user_id, session_id, ...metadata } = span.below('ai.telemetry.metadata.') ?? {}
    const user = textOrUndefined(userId ?? user_id)
    const session = textOrUndefined(sessionId ?? session_id)
    return {
      name: operation === 'ai.toolCall' && span.span.name.startsWith('ai.toolCall') ? toolName : undefined,
      kind: operation === undefined ? undefined : kindOf(operation),
      isEmbedding: /embed/i.test(operation ?? ''),
      model: span.text('ai.response.model', 'ai.model.id'),
      provider: span.text('ai.model.provider')?.split('.')[0],
      input: inputOf(span),
      output: outputOf(span),
      tokens: tokensOf(span),
      sessionId: session,
      user: user === undefined ? undefined : { id: user },
      // On a child span, the function id names a step of a trace that has a name of its own.
      traceName: span.span.parentSpanId === null ? functionId : undefined,
      metadata: Object.keys(metadata).length === 0 ? undefined : metadata,
      parameters: span.below('ai.settings.'),
    }
  },
}

function kindOf(operation: string): LogType {
  if (operation === 'ai.toolCall') return 'tool'
  if (/\.doRerank$/.test(operation)) return 'retrieval'
  return /\.do[A-Z]/.test(operation) ? 'generation' : 'span'
}

function inputOf(span: AttributeReader): unknown {
  const prompt = span.structure('ai.prompt.messages') ?? span.structure('ai.prompt')
  const values = span.value('ai.values')
  return (
    readMessages(prompt, 'user') ??
    prompt ??
    span.structure('ai.toolCall.args', 'ai.toolCall.input') ??
    (span.has('ai.value') ? valueOfJson(span.value('ai.value')) : undefined) ??
    (Array.isArray(values) ? values.map(valueOfJson) : parseStructure(values)) ??
    span.structure('ai.documents')
  )
}

/** Parses one of several values; each is JSON text, even if the value is a text. */
const valueOfJson = (value: unknown): unknown =>
  typeof value === 'string' ? (parseJson(value, 'anything') ?? value) : parseStructure(value)

function outputOf(span: AttributeReader): unknown {
  const reasoning = span.text('ai.response.reasoning', 'ai.result.reasoning')
  const text = span.text('ai.response.text', 'ai.result.text')
  const calls = span.structure('ai.response.toolCalls', 'ai.result.toolCalls')
  const object = span.structure('ai.response.object', 'ai.result.object')
  const finish = span.text('ai.response.finishReason', 'ai.finishReason')
  const parts: Part[] = [
    ...(reasoning === undefined ? [] : [{ type: 'reasoning' as const, content: reasoning }]),
    ...(text === undefined ? [] : [{ type: 'text' as const, content: text }]),
    ...(Array.isArray(calls) ? calls : []).flatMap(
      (call) => readToolCall(isObject(call) ? { ...call, type: 'tool-call' } : call) ?? [],
    ),
  ]
  if (parts.length > 0 && object === undefined) {
    return [{ role: 'assistant', parts, ...(finish === undefined ? {} : { finish_reason: finish }) }]
  }
  const embeddings = span.value('ai.embeddings')
  return (
    object ??
    unquote(span.structure('ai.toolCall.result', 'ai.toolCall.output')) ??
    span.structure('ai.embedding') ??
    (Array.isArray(embeddings)
      ? embeddings.map((each) => parseStructure(each))
      : parseStructure(embeddings)) ??
    span.structure('ai.ranking')
  )
}

function tokensOf(span: AttributeReader): SpanFacts['tokens'] {
  const provider = span.record('ai.response.providerMetadata', 'ai.result.providerMetadata')
  const openAi = field(provider, 'openai')
  return {
    input: span.number('ai.usage.inputTokens', 'ai.usage.promptTokens', 'ai.usage.tokens'),
    output: span.number('ai.usage.outputTokens', 'ai.usage.completionTokens'),
    cacheRead:
      span.number('ai.usage.cachedInputTokens', 'ai.usage.inputTokenDetails.cacheReadTokens') ??
      numberOrUndefined(field(openAi, 'cachedPromptTokens')),
    cacheWrite:
      span.number('ai.usage.inputTokenDetails.cacheWriteTokens') ??
      numberOrUndefined(field(field(provider, 'anthropic'), 'cacheCreationInputTokens')) ??
      numberOrUndefined(field(field(field(provider, 'bedrock'), 'usage'), 'cacheWriteInputTokens')),
    reasoning:
      span.number('ai.usage.reasoningTokens', 'ai.usage.outputTokenDetails.reasoningTokens') ??
      numberOrUndefined(field(openAi, 'reasoningTokens')),
    details: field(field(provider, 'anthropic'), 'usage') ?? usageOfBedrock(span, provider),
  }
}

/** Version 5 passes on Bedrock's input, which excludes the cache. Later versions add the cache and report details. */
function usageOfBedrock(span: AttributeReader, provider: unknown): unknown {
  const isOfBedrock = /^(amazon-)?bedrock\b/.test(span.text('ai.model.provider') ?? '')
  const addsCache = span.below('ai.usage.inputTokenDetails.') !== undefined
  if (!isOfBedrock || addsCache) return undefined
  return {
    input_tokens: span.number('ai.usage.inputTokens'),
    cache_read_input_tokens: span.number('ai.usage.cachedInputTokens') ?? 0,
    cache_creation_input_tokens:
      numberOrUndefined(field(field(field(provider, 'bedrock'), 'usage'), 'cacheWriteInputTokens')) ?? 0,
  }
}
