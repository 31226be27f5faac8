/** `gen_ai.*`: OpenTelemetry's GenAI conventions, in their current and earlier versions. */
import type { LogType } from '@plumbline/contract'
import type { AttributeReader } from '../attribute-reader.ts'
import type { Convention, SpanFacts, Tokens } from '../facts.ts'
import {
  field,
  isObject,
  numberOrUndefined,
  objectOf,
  parseJson,
  parseStructure,
  textOrUndefined,
} from '../json-value.ts'
import type { Message } from '../messages/message.ts'
import { readMessages } from '../messages/read-messages.ts'
import { readContent } from '../messages/read-part.ts'
import { promptOf } from '../references.ts'
import { scoresOf } from './gen-ai-scores.ts'
import { returnedValue } from './langsmith.ts'
import { toVariables } from './own-client.ts'

const kinds: Readonly<Record<string, LogType>> = {
  chat: 'generation',
  completion: 'generation',
  text_completion: 'generation',
  generate_content: 'generation',
  generate: 'generation',
  responses: 'generation',
  embeddings: 'generation',
  embedding: 'generation',
  image_generation: 'generation',
  image: 'generation',
  speech: 'generation',
  transcription: 'generation',
  retrieval: 'retrieval',
  rerank: 'retrieval',
  search_memory: 'retrieval',
  execute_tool: 'tool',
  tool: 'tool',
  invoke_agent: 'span',
  create_agent: 'span',
  invoke_workflow: 'span',
  agent_step: 'span',
  plan: 'span',
  fetch_response: 'span',
  create_memory: 'span',
  create_memory_store: 'span',
  update_memory: 'span',
  upsert_memory: 'span',
  delete_memory: 'span',
  delete_memory_store: 'span',
  chain: 'span',
}

/** Span kinds of instrumentations that name no operation, such as Eino's. */
const spanKinds: Readonly<Record<string, LogType>> = {
  llm: 'generation',
  chatmodel: 'generation',
  embedding: 'generation',
  retriever: 'retrieval',
  reranker: 'retrieval',
  tool: 'tool',
  agent: 'span',
  chain: 'span',
  workflow: 'span',
}

const agents = new Set(['invoke_agent', 'invoke_workflow', 'agent', 'workflow'])

export const genAi: Convention = {
  name: 'gen_ai',
  understands:
    /^gen_ai\.(response\.|agent|tool|embeddings|output\.type|token|orchestrator|task|data_source|serialized|openai|azure|aws|evaluation|workflow|prompt\.(name|version|id)|conversation|retrieval|memory|event|framework|environment|application|headers$|usage\.text\.)/,
  read(span) {
    const operation = span.text('gen_ai.operation.name')?.toLowerCase()
    const spanKind = span.text('gen_ai.span.kind')?.toLowerCase()
    return {
      kind: kindNamed(kinds, operation) ?? kindNamed(spanKinds, spanKind),
      isEmbedding: (operation ?? spanKind)?.startsWith('embedding'),
      isAgent: agents.has(operation ?? spanKind ?? '') || undefined,
      model: modelOf(span),
      provider: providerOf(span),
      input: inputOf(span),
      instructions: readContent(
        parseStructure(span.value('gen_ai.system_instructions', 'gen_ai.system.instructions') ?? ''),
      ),
      output: outputOf(span),
      tokens: tokensOf(span),
      cost: span.number('gen_ai.usage.cost', 'gen_ai.usage.total_cost', 'gen_ai.cost.total_cost'),
      sessionId: span.text('gen_ai.conversation.id', 'session.id', 'gen_ai.session.id'),
      user: toIdentity(
        span.text(
          'user.id',
          'enduser.id',
          'gen_ai.user.id',
          'gen_ai.user',
          'gen_ai.request.user',
          'llm.user',
        ),
        span.text('user.name'),
      ),
      ...(span.text('gen_ai.prompt.name') === undefined ? {} : { prompt: promptOf(span.span.attributes) }),
      variables: toVariables(span.below('gen_ai.prompt.variable.')),
      responseId: span.text('gen_ai.response.id'),
      parameters: parametersOf(span),
      scores: scoresOf(span),
    }
  },
}

const kindNamed = (
  types: Readonly<Record<string, LogType>>,
  name: string | undefined,
): LogType | undefined => (name !== undefined && Object.hasOwn(types, name) ? types[name] : undefined)

const toIdentity = (id: string | undefined, name: string | undefined) =>
  id === undefined ? undefined : { id, ...(name === undefined ? {} : { name }) }

/** The response model is more precise than the requested one. */
const modelOf = (span: AttributeReader): string | undefined => firstModel(span, modelNames)

/** The first attribute that names a model: without a response, Spring AI sends `none` and others `unknown`. */
export const firstModel = (span: AttributeReader, names: readonly string[]): string | undefined =>
  names
    .map((name) => span.text(name))
    .find((model) => model !== undefined && model !== 'none' && model !== 'unknown')

const modelNames = ['gen_ai.response.model', 'gen_ai.request.model', 'gen_ai.model', 'gen_ai.model.name']

/** Frameworks that report their own name as the system; it does not identify the provider. */
const frameworks = new Set([
  'gcp.vertex.agent',
  'langchain',
  'strands-agents',
  'autogen',
  'crewai',
  'eino',
  'semantic_kernel',
  'microsoft.agent_framework',
])

function providerOf(span: AttributeReader): string | undefined {
  const provider =
    notFramework(span.text('gen_ai.provider.name', 'gen_ai.system')) ?? notFramework(providerOfEvents(span))
  if (provider === undefined) return undefined
  // The AI SDK, and Mastra with it, put the name of a client here, such as `openai.responses`.
  const isClient =
    span.has('ai.operationId') ||
    span.has('ai.model.provider') ||
    /\.(chat|responses|completion|messages|embedding|generative-ai)$/.test(provider)
  return isClient ? provider.split('.')[0] : provider
}

const notFramework = (name: string | undefined): string | undefined =>
  name === undefined || frameworks.has(name.toLowerCase()) ? undefined : name

/** Google's ADK for Go names the provider only in the events of the messages. */
function providerOfEvents(span: AttributeReader): string | undefined {
  const names = span
    .events(...inputEvents)
    .map(({ attributes }) =>
      textOrUndefined(attributes['gen_ai.provider.name'] ?? attributes['gen_ai.system']),
    )
  return names.find((name) => name !== undefined)
}

function inputOf(span: AttributeReader): unknown {
  const value = span.structure('gen_ai.input.messages') ?? eventAttribute(span, 'gen_ai.input.messages')
  const messages = readMessages(value, 'user')
  if (messages !== undefined) return messages
  const eventMessages = messagesOfEvents(span, inputEvents)
  return (
    value ??
    (eventMessages.length > 0 ? eventMessages : undefined) ??
    promptMessages(span, 'gen_ai.prompt', 'user') ??
    eventContent(span, 'gen_ai.content.prompt', 'gen_ai.prompt', 'gen_ai.event.content', 'user') ??
    span.structure(
      'gen_ai.tool.call.arguments',
      'gen_ai.tool.arguments',
      'gen_ai.tool.input',
      'gen_ai.workflow.input',
    ) ??
    span.structure('gen_ai.retrieval.query.text', 'gen_ai.retrieval.query', 'gen_ai.memory.query.text') ??
    (isMemorySearch(span) ? undefined : span.structure('gen_ai.memory.records'))
  )
}

function outputOf(span: AttributeReader): unknown {
  const value = span.structure('gen_ai.output.messages') ?? eventAttribute(span, 'gen_ai.output.messages')
  const messages = nonEmpty(readMessages(value, 'assistant'), span)
  const eventMessages = messages === undefined ? messagesOfEvents(span, ['gen_ai.choice']) : []
  return (
    messages ??
    (readMessages(value, 'assistant') === undefined ? value : undefined) ??
    (eventMessages.length > 0 ? eventMessages : undefined) ??
    returnedValue(promptMessages(span, 'gen_ai.completion', 'assistant'), span) ??
    eventContent(
      span,
      'gen_ai.content.completion',
      'gen_ai.completion',
      'gen_ai.event.content',
      'assistant',
    ) ??
    unquote(
      span.structure(
        'gen_ai.tool.call.result',
        'gen_ai.tool.result',
        'gen_ai.tool.output',
        'gen_ai.workflow.output',
      ),
    ) ??
    documentsOf(span) ??
    readMessages(value, 'assistant')
  )
}

/** The AI SDK sends every result as JSON, so a text has quotes. */
export function unquote(value: unknown): unknown {
  if (typeof value !== 'string' || !/^".*"$/s.test(value)) return value
  const text = parseJson(value, 'anything')
  return typeof text === 'string' ? text : value
}

/** LiteLLM writes messages without parts, and puts tool calls into `gen_ai.completion.N.function_call`. */
const nonEmpty = (messages: Message[] | undefined, span: AttributeReader): Message[] | undefined =>
  messages?.every(({ parts }) => parts.length === 0) && span.has('gen_ai.completion.0.function_call.name')
    ? undefined
    : messages

/** Reads `gen_ai.prompt.N.role`, `.content`, `.tool_calls.M.*`, or one attribute with text or the JSON of messages. */
export function promptMessages(span: AttributeReader, prefix: string, role: 'user' | 'assistant'): unknown {
  const listed = span.list(prefix)
  // Older instrumentations also list the available functions, which are not messages, under this prefix.
  const items = listed?.map((item) => (isObject(item) ? { role, ...item } : { role, content: item }))
  const messages = items === undefined ? undefined : readMessages(items, role)
  if (messages !== undefined) return messages
  const single = { role: span.text(`${prefix}.role`), content: span.value(`${prefix}.content`) }
  if (single.content !== undefined)
    return readMessages([{ role: single.role ?? role, content: single.content }], role)
  return listed ?? span.structure(prefix)
}

const inputEvents = [
  'gen_ai.system.message',
  'gen_ai.user.message',
  'gen_ai.assistant.message',
  'gen_ai.tool.message',
]

/** Messages from events, in order; the name of an event gives the role if it has no other. */
function messagesOfEvents(span: AttributeReader, names: readonly string[]): Message[] {
  const messages = span.events(...names).flatMap((event) => {
    const attributes = objectOf(
      Object.entries(event.attributes).map(([key, value]) => [key, parseStructure(value)]),
    )
    const body = isObject(attributes['gen_ai.event.content'])
      ? attributes['gen_ai.event.content']
      : isObject(attributes.body)
        ? attributes.body
        : attributes
    // Some choices put the content of the message directly into `message`.
    const { message, ...rest } = body
    const content = message !== undefined && !isObject(message) ? { content: message, ...rest } : body
    return readMessages([{ 'event.name': event.name, ...content }], 'assistant') ?? []
  })
  return withoutRepeatedResults(messages)
}

/** Bedrock's instrumentation reports the result of a tool in a tool event and again in a user event. */
function withoutRepeatedResults(messages: readonly Message[]): Message[] {
  const visitedValues = new Set<unknown>()
  return messages.flatMap((message) => {
    const parts = message.parts.filter((part) => {
      if (part.type !== 'tool_call_response' || !('id' in part)) return true
      const isNew = !visitedValues.has(part.id)
      visitedValues.add(part.id)
      return isNew
    })
    return parts.length === 0 && message.parts.length > 0 ? [] : [{ ...message, parts }]
  })
}

/** An attribute of an event that contains the whole exchange. */
function eventAttribute(span: AttributeReader, key: string): unknown {
  const [event] = span.events('gen_ai.client.inference.operation.details', 'gen_ai.client.operation.details')
  return event === undefined ? undefined : parseStructure(event.attributes[key])
}

function eventContent(
  span: AttributeReader,
  name: string,
  key: string,
  otherKey: string,
  role: 'user' | 'assistant',
): unknown {
  const contents = span
    .events(name)
    .map(({ attributes }) => parseStructure(attributes[key] ?? attributes[otherKey]))
  const [first] = contents
  return first === undefined || first === null ? undefined : (readMessages(first, role) ?? first)
}

/** The names of token counts under a prefix. Built once, since every span looks up all of them. */
function tokenNames(prefix: string) {
  const prefixAll = (...names: readonly string[]): readonly string[] => names.map((name) => prefix + name)
  return {
    inputDetails: prefixAll('input_token_details'),
    outputDetails: prefixAll('output_token_details'),
    input: prefixAll('input_tokens', 'prompt_tokens', 'details.input_tokens'),
    output: prefixAll('output_tokens', 'completion_tokens', 'details.output_tokens'),
    cacheRead: prefixAll(
      'cache_read.input_tokens',
      'cache_read_input_tokens',
      'details.cache_read_tokens',
      'details.cache_read_input_tokens',
      'cache_read_tokens',
      'cached_tokens',
      'input_tokens.cached',
      'prompt_tokens_details.cached_tokens',
      'details.cached_tokens',
    ),
    cacheWrite: prefixAll(
      'cache_write.input_tokens',
      'cache_creation.input_tokens',
      'cache_creation_input_tokens',
      'cache_write_input_tokens',
      'cache_write_tokens',
      'details.cache_write_tokens',
      'details.cache_creation_input_tokens',
      'prompt_tokens_details.cache_creation_tokens',
    ),
    reasoning: prefixAll(
      'reasoning.output_tokens',
      'reasoning_tokens',
      'output_tokens.reasoning',
      'details.reasoning_tokens',
      'completion_tokens_details.reasoning_tokens',
      'thoughts_token_count',
      'details.thoughts_tokens',
      'details.thoughts_token_count',
    ),
    total: prefixAll('total_tokens', 'details.total_tokens'),
  }
}

const usageNames = tokenNames('gen_ai.usage.')
/** Pydantic AI's agents report the sum of their calls under separate names. */
const aggregatedNames = tokenNames('gen_ai.aggregated_usage.')

function tokensOf(span: AttributeReader): SpanFacts['tokens'] {
  const names = span.has('gen_ai.aggregated_usage.input_tokens') ? aggregatedNames : usageNames
  const inputDetails = span.record(...names.inputDetails)
  const outputDetails = span.record(...names.outputDetails)
  const tokens = {
    input: span.number(...names.input),
    output: span.number(...names.output),
    cacheRead: span.number(...names.cacheRead) ?? numberOrUndefined(field(inputDetails, 'cache_read')),
    cacheWrite: span.number(...names.cacheWrite) ?? numberOrUndefined(field(inputDetails, 'cache_creation')),
    reasoning: span.number(...names.reasoning) ?? numberOrUndefined(field(outputDetails, 'reasoning')),
    total: span.number(...names.total),
  }
  return excludesCache(span) ? withCacheInInput(tokens) : tokens
}

const excludesCache = (span: AttributeReader): boolean =>
  scopesWithoutCache.test(span.span.scope.name) ||
  (span.span.scope.name === scopeOfSpring && providerOf(span) === 'anthropic')

/** The scope of Spring Boot's tracer, through which Spring AI passes on every provider's numbers unchanged. */
const scopeOfSpring = 'org.springframework.boot'

/** These scopes pass on the numbers of Bedrock and Anthropic, whose input excludes the cache. */
const scopesWithoutCache =
  /^(opentelemetry\.instrumentation\.(bedrock|botocore\.bedrock-runtime|botocore)|openlit\.instrumentation\.(anthropic|bedrock))\b/

const withCacheInInput = (tokens: Tokens): Tokens => ({
  ...tokens,
  input:
    tokens.input === undefined
      ? undefined
      : tokens.input + (tokens.cacheRead ?? 0) + (tokens.cacheWrite ?? 0),
})

function documentsOf(span: AttributeReader): unknown {
  return (
    span.structure('gen_ai.retrieval.documents') ??
    (isMemorySearch(span) ? span.structure('gen_ai.memory.records') : undefined)
  )
}

/** In other memory operations, the records are those to store. */
const isMemorySearch = (span: AttributeReader): boolean =>
  span.text('gen_ai.operation.name')?.toLowerCase() === 'search_memory'

/** Parameters outside the usual prefix, under the names of providers. */
const otherParameters = [
  ['top_k', 'gen_ai.retrieval.top_k'],
  ['dimensions', 'gen_ai.embeddings.dimension.count'],
  ['output_type', 'gen_ai.output.type'],
] as const

/** Parameters of the request, besides the messages. */
function parametersOf(span: AttributeReader): SpanFacts['parameters'] {
  const { model, user, ...request } = span.below('gen_ai.request.') ?? {}
  const parameters = { ...span.below('gen_ai.openai.request.'), ...request }
  for (const [name, attribute] of otherParameters) {
    const value = span.value(attribute)
    if (value !== undefined) parameters[name] ??= value
  }
  return Object.keys(parameters).length === 0 ? undefined : parameters
}
