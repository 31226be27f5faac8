/** OpenInference: `openinference.span.kind`, `llm.*`, `input.value`; its instrumentations cover many frameworks. */
import type { LogType } from '@plumbline/contract'
import type { AttributeReader } from '../attribute-reader.ts'
import type { Convention, SpanFacts, SpanScore } from '../facts.ts'
import {
  field,
  isObject,
  numberOrUndefined,
  objectOf,
  parseJson,
  parseStructure,
  textOrUndefined,
} from '../json-value.ts'
import { type Message, type Part, textMessage } from '../messages/message.ts'
import { readMedia } from '../messages/read-media.ts'
import { readMessages } from '../messages/read-messages.ts'
import { firstModel } from './gen-ai.ts'
import { verdictOf } from './gen-ai-scores.ts'
import { toVariables } from './own-client.ts'

const kinds: Readonly<Record<string, LogType>> = {
  LLM: 'generation',
  EMBEDDING: 'generation',
  RETRIEVER: 'retrieval',
  RERANKER: 'retrieval',
  TOOL: 'tool',
  AGENT: 'span',
  CHAIN: 'span',
  GUARDRAIL: 'span',
  EVALUATOR: 'span',
  PROMPT: 'span',
  // A model call that answers typed questions.
  DECISION: 'generation',
}

const modelNames = [
  'llm.response.model_name',
  'llm.request.model_name',
  'llm.model_name',
  'decision.response.model_name',
  'decision.request.model_name',
  'decision.model_name',
  'embedding.model_name',
  'reranker.model_name',
]

export const openInference: Convention = {
  name: 'openinference',
  namespaces: [
    ...[
      'openinference',
      'llm',
      'input',
      'output',
      'embedding',
      'retrieval',
      'reranker',
      'tool',
      'agent',
      'graph',
      'decision',
    ],
    ...['image', 'document', 'metadata', 'tag', 'tags', 'session', 'user'],
    ...['annotations', 'evaluations', 'trace'],
  ],
  understands:
    /^(llm\.(tools|function_call|token_count|cost|finish_reason)|tool\.|agent\.|graph\.|(input|output)\.|image\.|document\.)/,
  read(span) {
    const kind = span.text('openinference.span.kind')?.toUpperCase()
    const inputValue = readValue(span, 'input')
    const outputValue = readValue(span, 'output')
    const parameters = span.record('llm.invocation_parameters', 'embedding.invocation_parameters')
    const metadata = metadataOf(span)
    return {
      // Frameworks name tool spans after a class or a method.
      name: kind === 'TOOL' ? span.text('tool.name') : undefined,
      kind: kind !== undefined && Object.hasOwn(kinds, kind) ? kinds[kind] : undefined,
      isEmbedding: kind === 'EMBEDDING',
      isAgent: kind === 'AGENT' || undefined,
      model: firstModel(span, modelNames) ?? textOrUndefined(field(parameters, 'model')),
      provider: span.text('llm.provider', 'llm.system', 'decision.provider', 'decision.system'),
      input: withMedia(span, 'input', inputOf(span, inputValue)),
      output: withMedia(span, 'output', outputOf(span, outputValue)),
      tokens: tokensOf(span, kind === 'LLM' ? outputValue : undefined),
      cost:
        span.number('llm.cost.total') ??
        sumOf(span.number('llm.cost.prompt'), span.number('llm.cost.completion')),
      sessionId: span.text('session.id'),
      user: toIdentity(span.text('user.id') ?? textOrUndefined(field(metadata, 'user_id'))),
      variables: toVariables(span.record('llm.prompt_template.variables')),
      metadata,
      parameters,
      responseId: kind === 'LLM' ? textOrUndefined(field(outputValue, 'id')) : undefined,
      scores: scoresOf(span, kind),
    }
  },
}

/** The sum of both costs, either of which may be absent. */
const sumOf = (input: number | undefined, output: number | undefined): number | undefined =>
  input === undefined && output === undefined ? undefined : (input ?? 0) + (output ?? 0)

const toIdentity = (id: string | undefined) => (id === undefined ? undefined : { id })

/** Reads `input.value` or `output.value`: JSON if its MIME type or its first character indicates it, else text. */
function readValue(span: AttributeReader, which: 'input' | 'output'): unknown {
  const mime = span.text(`${which}.mime_type`)
  const value = span.value(`${which}.value`)
  if (value === '') return undefined
  if (typeof value === 'string' && mime?.includes('json')) {
    const parsed = parseJson(value, 'anything')
    return parsed === undefined || parsed === null ? value : parsed
  }
  return value === undefined ? undefined : mime?.startsWith('text/') ? value : parseStructure(value)
}

function inputOf(span: AttributeReader, value: unknown): unknown {
  const messages = withContent(
    readMessages(span.list('llm.input_messages') ?? span.structure('llm.input_messages'), 'user'),
  )
  // For LangChain's chains, the messages are only the user's; the value has the whole state.
  const isCall = span.text('openinference.span.kind')?.toUpperCase() === 'LLM'
  return (
    (isCall || value === undefined ? messages : undefined) ??
    promptsOf(span) ??
    embeddedTexts(span) ??
    (isObject(value) || Array.isArray(value) ? value : (messages ?? value)) ??
    span.text('reranker.query') ??
    span.structure('tool.parameters') ??
    queryWith(span)
  )
}

function outputOf(span: AttributeReader, value: unknown): unknown {
  const messages = readMessages(
    span.list('llm.output_messages') ?? span.structure('llm.output_messages'),
    'assistant',
  )
  if (messages !== undefined) return span.span.scope.name.includes('beeai') ? joinTokens(messages) : messages
  const choices = span
    .list('llm.choices')
    ?.flatMap((choice) => textOrUndefined(field(field(choice, 'completion'), 'text')) ?? [])
  if (choices !== undefined && choices.length > 0)
    return choices.map((text) => textMessage('assistant', text))
  const documents = documentsOf(span, 'retrieval.documents') ?? documentsOf(span, 'reranker.output_documents')
  return documents ?? value ?? vectorsOf(span)
}

/** Adds images and documents beside a text: `input.images.N.image.url`, `output.documents.N.document.url`. */
function withMedia(span: AttributeReader, which: 'input' | 'output', value: unknown): unknown {
  const media = (['image', 'document'] as const).flatMap((type) =>
    (span.list(`${which}.${type}s`) ?? []).flatMap((each) =>
      isObject(each) ? (readMedia({ type, ...each }) ?? []) : [],
    ),
  )
  if (media.length === 0 || (value !== undefined && typeof value !== 'string')) return value
  const text: Part[] = value === undefined ? [] : [{ type: 'text', content: value }]
  return [{ role: which === 'input' ? 'user' : 'assistant', parts: [...text, ...media] }]
}

const withContent = (messages: Message[] | undefined): Message[] | undefined =>
  messages?.some(({ parts }) => parts.length > 0) ? messages : undefined

/** BeeAI reports each token of a streamed response as a separate message. */
function joinTokens(messages: readonly Message[]): Message[] {
  const whole: Message[] = []
  for (const message of messages) {
    const last = whole.at(-1)
    const [lastPart, more] = [last?.parts[0], message.parts[0]]
    const isContinued =
      last?.role === message.role &&
      last.parts.length === 1 &&
      message.parts.length === 1 &&
      lastPart?.type === 'text' &&
      more?.type === 'text'
    if (isContinued) whole[whole.length - 1] = textMessage(message.role, `${lastPart.content}${more.content}`)
    else whole.push(message)
  }
  return whole
}

/** `llm.prompts.N.prompt.text`, or LlamaIndex's JSON list of texts. */
function promptsOf(span: AttributeReader): Message[] | undefined {
  const listed = span.list('llm.prompts') ?? span.structure('llm.prompts')
  const prompts = Array.isArray(listed) ? listed : listed === undefined ? [] : [listed]
  const texts = prompts.flatMap((each) => textOrUndefined(field(field(each, 'prompt'), 'text') ?? each) ?? [])
  return texts.length === 0 ? undefined : texts.map((text) => textMessage('user', text))
}

function embeddedTexts(span: AttributeReader): unknown {
  const embeddings = embeddingsOf(span)
  const texts = embeddings.flatMap((each) => textOrUndefined(field(each, 'text')) ?? [])
  return texts.length === 0 ? undefined : texts.length === 1 ? texts[0] : texts
}

function vectorsOf(span: AttributeReader): unknown {
  const vectors = embeddingsOf(span).flatMap((each) => {
    const vector = parseStructure(field(each, 'vector'))
    return vector === undefined ? [] : [vector]
  })
  return vectors.length === 0 ? undefined : vectors
}

function embeddingsOf(span: AttributeReader): unknown[] {
  const text = span.text('embedding.text')
  const listed = span.list('embedding.embeddings')?.map((each) => field(each, 'embedding')) ?? []
  return listed.length === 0 && text !== undefined
    ? [{ text, vector: span.structure('embedding.vector') }]
    : listed
}

function documentsOf(span: AttributeReader, prefix: string): unknown {
  const listed = span.list(prefix)?.map((each) => field(each, 'document') ?? each)
  return listed?.map((document) => {
    const metadata = field(document, 'metadata')
    return isObject(document) && metadata !== undefined
      ? { ...document, metadata: parseStructure(metadata) }
      : document
  })
}

/** Adds the documents that a reranker sorts. */
function queryWith(span: AttributeReader): unknown {
  const documents = documentsOf(span, 'reranker.input_documents')
  span.number('reranker.top_k')
  return documents === undefined ? undefined : { documents }
}

/** Falls back to the usage of the raw response, which `output.value` often holds, when the span has no counts. */
function tokensOf(span: AttributeReader, response: unknown): SpanFacts['tokens'] {
  const count = 'llm.token_count.'
  const usage =
    field(response, 'usage') ?? field(response, 'usage_metadata') ?? field(response, 'usageMetadata')
  const usageCount = (...keys: readonly string[]) =>
    keys.map((key) => numberOrUndefined(field(usage, key))).find((tokens) => tokens !== undefined)
  const input = span.number(`${count}prompt`, 'decision.token_count.input')
  const output = span.number(`${count}completion`, 'decision.token_count.output')
  const isReported = input !== undefined || output !== undefined
  return {
    input: isReported
      ? input
      : usageCount('prompt_tokens', 'input_tokens', 'prompt_token_count', 'promptTokenCount'),
    output: isReported
      ? output
      : usageCount('completion_tokens', 'output_tokens', 'candidates_token_count', 'candidatesTokenCount'),
    cacheRead: span.number(`${count}prompt_details.cache_read`, `${count}prompt_details.cache_input`),
    cacheWrite: span.number(`${count}prompt_details.cache_write`),
    reasoning: span.number(`${count}completion_details.reasoning`),
    total: isReported ? span.number(`${count}total`) : undefined,
    ...(isReported ? {} : { details: usage }),
  }
}

function metadataOf(span: AttributeReader): SpanFacts['metadata'] {
  const values = span.record('metadata') ?? withoutEmpty(span.below('metadata.'))
  const tags = span.structure('tag.tags', 'tags')
  span.text('llm.prompt_template.template', 'llm.prompt_template.version')
  if (values === undefined && tags === undefined) return undefined
  return { ...(tags === undefined ? {} : { tags }), ...values }
}

/** LiteLLM sends some thirty keys, most of them empty. */
const withoutEmpty = (values: Readonly<Record<string, unknown>> | undefined) =>
  values && objectOf(Object.entries(values).filter(([, value]) => value !== ''))

/** The attributes of scores in their two forms, both of which a producer may send. */
const scoreLists = [
  ['annotations', undefined],
  ['trace.annotations', 'trace'],
  ['evaluations', undefined],
  ['trace.evaluations', 'trace'],
  ['session.annotations', 'session'],
  ['session.evaluations', 'session'],
] as const

function scoresOf(span: AttributeReader, kind: string | undefined): SpanScore[] {
  const linkedSpan = kind === 'EVALUATOR' ? linkedSpanOf(span) : undefined
  const annotated = new Set<string>()
  return scoreLists.flatMap(([prefix, subject]) =>
    (span.list(prefix) ?? []).flatMap((each) => {
      const evaluation = field(each, 'evaluation')
      const annotation = field(each, 'annotation') ?? evaluation ?? each
      const name = textOrUndefined(field(annotation, 'name'))
      const verdict = verdictOf({
        number: field(annotation, 'score'),
        label: field(annotation, 'label'),
        explanation: field(annotation, 'explanation'),
      })
      if (name === undefined || verdict === undefined) return []
      const key = JSON.stringify([subject, name, verdict])
      if (evaluation !== undefined && annotated.has(key)) return []
      annotated.add(key)
      return [{ name, ...verdict, atMs: null, subject: subject ?? linkedSpan }]
    }),
  )
}

/** The span that an evaluator judged after it had ended: the only span that it links to, if it is in the same trace. */
function linkedSpanOf({ span: { traceId, links } }: AttributeReader): { spanId: string } | undefined {
  const [link, ...others] = links
  return link === undefined || others.length > 0 || link.traceId !== traceId
    ? undefined
    : { spanId: link.spanId }
}
