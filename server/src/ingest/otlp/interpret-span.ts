/** Interprets a span by its conventions: each field comes from the first convention that has it. */
import type { LogType } from '@plumbline/contract'
import { AttributeReader } from './attribute-reader.ts'
import { aiSdk } from './conventions/ai-sdk.ts'
import { beeAi } from './conventions/beeai.ts'
import { crewAi } from './conventions/crewai.ts'
import { genAi } from './conventions/gen-ai.ts'
import { generalFacts } from './conventions/general-facts.ts'
import { googleAdk } from './conventions/google-adk.ts'
import { langChain4j } from './conventions/langchain4j.ts'
import { langfuse } from './conventions/langfuse.ts'
import { langSmith } from './conventions/langsmith.ts'
import { mastra } from './conventions/mastra.ts'
import { mlflow } from './conventions/mlflow.ts'
import { openInference } from './conventions/openinference.ts'
import { openTelemetry } from './conventions/opentelemetry.ts'
import { otherFrameworks } from './conventions/other-frameworks.ts'
import { isCallSummary, ownClient } from './conventions/own-client.ts'
import { plumbline } from './conventions/plumbline.ts'
import { pydanticAi } from './conventions/pydantic-ai.ts'
import { traceloop } from './conventions/traceloop.ts'
import type { Convention, SpanFacts, Tokens } from './facts.ts'
import { objectOf } from './json-value.ts'
import { answerOf, unwrapValue } from './messages/framework-values.ts'
import { isConversation, type Part, withInstructions } from './messages/message.ts'
import { messagesOr } from './messages/read-messages.ts'
import type { Span } from './span.ts'
import { withRemainder } from './total-tokens.ts'

/** In order of precedence for fields. */
const conventions: readonly Convention[] = [
  plumbline,
  ownClient,
  langfuse,
  langChain4j,
  genAi,
  openInference,
  traceloop,
  aiSdk,
  langSmith,
  pydanticAi,
  googleAdk,
  crewAi,
  beeAi,
  mastra,
  mlflow,
  ...otherFrameworks,
  generalFacts,
  openTelemetry,
]

/** In order of precedence for the log type: the most specific first. */
const kindOrder: readonly Convention[] = [
  plumbline,
  ownClient,
  langfuse,
  openInference,
  langSmith,
  mastra,
  mlflow,
  genAi,
  aiSdk,
  traceloop,
  ...otherFrameworks,
  pydanticAi,
  crewAi,
]

export interface InterpretedSpan {
  readonly type: LogType
  readonly name: string
  readonly facts: SpanFacts
  readonly tokens: Tokens
  readonly input: unknown
  readonly output: unknown
  /** Whether only the span's name reveals its type. */
  readonly isBare: boolean
  /** Attributes that no convention understands. */
  readonly notUnderstood: readonly string[]
}

/** Interprets a span, which may mix conventions. */
export function interpretSpan(span: Span): InterpretedSpan {
  const reader = new AttributeReader(span)
  const read = new Map<Convention, SpanFacts>()
  for (const convention of reader.names.presentOf(conventions)) {
    const facts = convention.read(reader)
    if (facts === undefined) continue
    read.set(convention, facts)
    reader.understand(reader.names.understoodBy(convention))
  }
  const own = read.get(ownClient)
  if (own !== undefined) read.set(ownClient, withoutSummaries(own, read))
  const all = [...read.values()]
  const namedFacts = byName(span)
  const facts = mergeFacts([...all, namedFacts])
  const type = kindIn(read) ?? kindByAttributes(span, facts) ?? 'span'
  const { input, output } = valuesOf(type, facts, ownValues(read))
  return {
    type,
    name: facts.name ?? span.name,
    facts,
    tokens: tokensOf(all),
    input,
    output,
    isBare: namedFacts.kind !== undefined,
    notUnderstood: reader.notUnderstood(),
  }
}

function kindIn(read: ReadonlyMap<Convention, SpanFacts>): LogType | undefined {
  for (const convention of kindOrder) {
    const kind = read.get(convention)?.kind
    if (kind !== undefined) return kind
  }
  return undefined
}

/** The values that the application itself passed to our client. */
function ownValues(read: ReadonlyMap<Convention, SpanFacts>): SpanFacts {
  const { input, output } = read.get(plumbline) ?? {}
  const client = read.get(ownClient)
  return { input: input ?? client?.input, output: output ?? client?.output }
}

/** The messages of generations in one form, and other values without the envelopes of their frameworks. */
function valuesOf(type: LogType, facts: SpanFacts, own: SpanFacts): { input: unknown; output: unknown } {
  if (facts.isEmbedding === true) return { input: facts.input, output: facts.output }
  const readSide = (which: 'input' | 'output') => {
    // Values sent by our own clients are returned exactly as they were sent.
    if (own[which] !== undefined) return own[which]
    return type === 'generation'
      ? messagesOr(facts[which], which === 'input' ? 'user' : 'assistant')
      : unwrapValue(facts[which], type, which)
  }
  const input = own.input === undefined ? inputWith(facts.instructions ?? [], readSide('input')) : own.input
  const output = readSide('output')
  return { input, output: type === 'generation' ? output : answerOf(input, output) }
}

function inputWith(instructions: readonly Part[], input: unknown): unknown {
  if (instructions.length === 0) return input
  return isConversation(input) || input === undefined ? withInstructions(instructions, input ?? []) : input
}

/** A client's summary of an instrumented call gives way to the conversation itself, if the span has it. */
function withoutSummaries(own: SpanFacts, read: ReadonlyMap<Convention, SpanFacts>): SpanFacts {
  const others = [...read].filter(([convention]) => convention !== ownClient).map(([, facts]) => facts)
  const isSummary = (which: 'input' | 'output') =>
    isCallSummary(own[which]) && others.some((facts) => facts[which] !== undefined)
  return {
    ...own,
    input: isSummary('input') ? undefined : own.input,
    output: isSummary('output') ? undefined : own.output,
  }
}

function kindByAttributes({ attributes }: Span, { model, kind }: SpanFacts): LogType | undefined {
  if (kind !== undefined) return kind
  const isTool = ['gen_ai.tool.name', 'gen_ai.tool.call.id', 'tool.name', 'ai.toolCall.name'].some((key) =>
    Object.hasOwn(attributes, key),
  )
  return isTool ? 'tool' : model === undefined ? undefined : 'generation'
}

/**
 * Interprets the name of a span whose attributes an exporter removed: the GenAI conventions name spans like
 * `chat gpt-4o`.
 */
function byName({ name, attributes, events }: Span): SpanFacts {
  if (Object.keys(attributes).length > 0 || events.length > 0) return {}
  const [, operation, object] =
    /^(chat|text_completion|generate_content|embeddings|execute_tool) (\S+)$/.exec(name) ?? []
  if (operation === undefined) return {}
  return operation === 'execute_tool'
    ? { kind: 'tool' }
    : { kind: 'generation', model: object, isEmbedding: operation === 'embeddings' }
}

/** Takes each field from the first facts that have it, and metadata, parameters and scores from all. */
function mergeFacts(all: readonly SpanFacts[]): SpanFacts {
  const facts: Record<string, unknown> = {}
  // Facts are plain objects, so `for … in` visits no inherited fields.
  for (const each of all)
    for (const key in each) {
      const value = each[key as keyof SpanFacts]
      if (value !== undefined) facts[key] ??= value
    }
  facts.isEmbedding = all.some(({ isEmbedding }) => isEmbedding === true)
  facts.metadata = mergeFields(all.map((each) => each.metadata))
  facts.parameters = mergeFields(all.map((each) => each.parameters))
  facts.scores = all.flatMap((each) => each.scores ?? [])
  // Safe: each key has the value of a `SpanFacts` under the same key.
  return facts as SpanFacts
}

type Fields = Readonly<Record<string, unknown>>

/** Merges objects; for a repeated key, the first wins. */
function mergeFields(all: readonly (Fields | undefined)[]): Fields | undefined {
  const present = all.filter((each) => each !== undefined)
  if (present.length === 1) return present[0]
  return present.length === 0
    ? undefined
    : objectOf(present.toReversed().flatMap((each) => Object.entries(each)))
}

function tokensOf(all: readonly SpanFacts[]): Tokens {
  const reports = all.map(({ tokens }) => tokens).filter((tokens) => tokens !== undefined)
  const first = (key: Exclude<keyof Tokens, 'details' | 'parts'>): number | undefined => {
    for (const { [key]: value } of reports) if (value !== undefined && value >= 0) return value
    return undefined
  }
  return withRemainder({
    input: first('input'),
    output: first('output'),
    cacheRead: first('cacheRead'),
    cacheWrite: first('cacheWrite'),
    reasoning: first('reasoning'),
    total: first('total'),
    parts: Object.assign({}, ...reports.map(({ parts }) => parts)) as Readonly<Record<string, number>>,
    details: reports.map(({ details }) => details).find((details) => details !== undefined),
  })
}
