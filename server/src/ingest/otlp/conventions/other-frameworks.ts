/** Frameworks with only a few attributes of their own for inputs, outputs and log types. */
import type { LogType } from '@plumbline/contract'
import type { Convention, SpanFacts, Tokens } from '../facts.ts'
import { field, isObject, numberOrUndefined, parseJson } from '../json-value.ts'
import { readMessages } from '../messages/read-messages.ts'
import { unquote } from './gen-ai.ts'

const genkitKinds: Readonly<Record<string, LogType>> = {
  model: 'generation',
  embedder: 'generation',
  tool: 'tool',
  'tool.v2': 'tool',
  retriever: 'retrieval',
  reranker: 'retrieval',
  flow: 'span',
  prompt: 'span',
  util: 'span',
}

const genkit: Convention = {
  name: 'genkit',
  namespaces: ['genkit'],
  understands: /^genkit/,
  read(span) {
    const kind = span.text('genkit:metadata:subtype')
    const input = jsonValue(span.text('genkit:input'))
    const output = jsonValue(span.text('genkit:output'))
    const name = span.text('genkit:name')?.split('/') ?? []
    const isModel = kind === 'model' || kind === 'embedder'
    return {
      kind: kind !== undefined && Object.hasOwn(genkitKinds, kind) ? genkitKinds[kind] : undefined,
      isEmbedding: kind === 'embedder',
      ...(isModel ? { model: name.at(-1), provider: name.length > 1 ? name[0] : undefined } : {}),
      ...(kind === 'util'
        ? conversationAround(input, output)
        : { input, output: kind === 'tool.v2' ? returnedByTool(output) : output }),
      // The steps around a model repeat its usage.
      tokens: kind === 'model' ? genkitTokens(field(output, 'usage')) : undefined,
      sessionId: span.text('genkit:sessionId'),
    }
  },
}

/** The step around a model receives the whole request, including tools, and returns the whole response. */
const conversationAround = (input: unknown, output: unknown): SpanFacts => ({
  input: readMessages(field(input, 'messages'), 'user') ?? input,
  output: readMessages(field(output, 'message'), 'assistant') ?? output,
})

/** In Go, every tool may return content, such as images, in addition to its output. */
const returnedByTool = (value: unknown): unknown =>
  isObject(value) && Object.keys(value).join() === 'output' ? value.output : value

/** Genkit writes every value as JSON, so a text has quotes. A truncated or masked value is no longer JSON. */
function jsonValue(text: string | undefined): unknown {
  if (text === undefined) return undefined
  const value = parseJson(text, 'anything')
  return value === undefined ? text : (value ?? undefined)
}

const genkitTokens = (usage: unknown): Tokens => ({
  input: numberOrUndefined(field(usage, 'inputTokens')),
  output: numberOrUndefined(field(usage, 'outputTokens')),
  cacheRead: numberOrUndefined(field(usage, 'cachedContentTokens')),
  reasoning: numberOrUndefined(field(usage, 'thoughtsTokens')),
  total: numberOrUndefined(field(usage, 'totalTokens')),
})

/** Since version 1.8, LiveKit marks content as personal, so that a collector can remove it. */
const contentNames = (...names: readonly string[]): readonly string[] =>
  names.flatMap((name) => [`lk.pii.${name}`, `lk.${name}`])

const liveKit: Convention = {
  name: 'livekit',
  namespaces: ['lk'],
  understands: /^lk\./,
  read(span) {
    return {
      kind: span.has('lk.function_tool.name') ? 'tool' : undefined,
      input: span.structure(
        ...contentNames('function_tool.arguments', 'chat_ctx', 'user_input', 'input_text', 'user_transcript'),
      ),
      output: span.structure(...contentNames('function_tool.output', 'response.text')),
    }
  },
}

const haystack: Convention = {
  name: 'haystack',
  namespaces: ['haystack'],
  understands: /^haystack\./,
  read(span) {
    return {
      input: span.structure('haystack.component.input', 'haystack.pipeline.input_data'),
      output: span.structure('haystack.component.output', 'haystack.pipeline.output_data'),
    }
  },
}

const mcp: Convention = {
  name: 'mcp',
  namespaces: ['mcp'],
  understands: /^(mcp|jsonrpc)\./,
  read(span) {
    const method = span.text('mcp.method.name')
    return {
      kind: method === 'tools/call' ? 'tool' : method === undefined ? undefined : 'span',
      input:
        span.structure('mcp.request.arguments', 'mcp.request.argument') ??
        span.below('mcp.request.argument.') ??
        span.text('mcp.resource.uri'),
      output: span.structure('mcp.response.value', 'mcp.tool.result', 'mcp.result'),
      sessionId: span.text('mcp.session.id'),
    }
  },
}

/** Spring AI: its tools have separate names for their values and, before version 2, for their kind. */
const springAi: Convention = {
  name: 'spring-ai',
  namespaces: ['spring'],
  understands: /^spring\.ai\./,
  read(span) {
    return {
      kind: span.text('spring.ai.kind') === 'tool_call' ? 'tool' : undefined,
      input: span.structure('spring.ai.tool.call.arguments'),
      output: unquote(span.structure('spring.ai.tool.call.result')),
      sessionId: span.text('spring.ai.chat.client.conversation.id'),
    }
  },
}

/** Its names have no prefix, so the scope identifies its spans; model calls have GenAI names as well. */
const pipecat: Convention = {
  name: 'pipecat',
  understands: /^(metrics|settings|turn|conversation)\./,
  read(span) {
    if (!/^pipecat\b/.test(span.span.scope.name)) return undefined
    const operation = span.text('gen_ai.operation.name')
    const user = span.text('user_id')
    return {
      isSpeech: operation === 'stt' || operation === 'tts',
      input: operation === 'tts' ? span.text('text') : undefined,
      output: operation === 'stt' ? span.text('transcript') : undefined,
      sessionId: span.text('conversation.id'),
      user: user === undefined ? undefined : { id: user },
    }
  },
}

/** Mastra, Pipecat's model calls, and custom instrumentations. */
const plain: Convention = {
  name: 'plain',
  read: (span) => ({
    input: span.structure('input', 'request', 'query'),
    output: span.structure('output', 'response', 'result'),
    sessionId: span.text('session_id', 'sessionId', 'thread_id', 'conversation_id'),
  }),
}

/** Each of these reads only names that no other convention uses, except the last. */
export const otherFrameworks: readonly Convention[] = [
  genkit,
  liveKit,
  haystack,
  mcp,
  springAi,
  pipecat,
  plain,
]
