/** Traceloop's OpenLLMetry: `traceloop.*` and `llm.*`, in addition to the GenAI names. */
import type { LogType } from '@plumbline/contract'
import type { AttributeReader } from '../attribute-reader.ts'
import type { Convention } from '../facts.ts'
import { field, isObject, objectOf, parseStructure } from '../json-value.ts'
import { promptOf } from '../references.ts'
import { promptMessages } from './gen-ai.ts'
import { toVariables } from './own-client.ts'

const kinds: Readonly<Record<string, LogType>> = {
  tool: 'tool',
  workflow: 'span',
  task: 'span',
  agent: 'span',
}

export const traceloop: Convention = {
  name: 'traceloop',
  namespaces: ['traceloop', 'llm', 'db', 'vector_db', 'gen_ai'],
  understands:
    /^(traceloop\.|llm\.(usage|request|response|headers|is_streaming|chat|top_k|frequency_penalty|presence_penalty|user)|db\.(vector|query)|gen_ai\.guardrail|vector_db\.)/,
  read(span) {
    const kind = span.text('traceloop.span.kind')
    const request = span.text('llm.request.type')
    const properties = propertiesOf(span)
    const { session_id: session, user_id: user } = properties ?? {}
    const documents = documentsOf(span)
    return {
      kind:
        kind !== undefined && Object.hasOwn(kinds, kind)
          ? kinds[kind]
          : request !== undefined
            ? request === 'rerank'
              ? 'retrieval'
              : 'generation'
            : documents === undefined
              ? undefined
              : 'retrieval',
      isEmbedding: request?.startsWith('embedding'),
      isAgent: kind === 'agent' || undefined,
      model: span.text('llm.response.model', 'llm.request.model'),
      provider: span.text('llm.vendor'),
      input:
        entityOf(span, 'traceloop.entity.input', 'inputs', 'input_str') ??
        span.structure('gen_ai.task.input') ??
        (request === undefined ? undefined : promptMessages(span, 'llm.prompts', 'user')),
      output:
        entityOf(span, 'traceloop.entity.output', 'outputs') ??
        span.structure('gen_ai.task.output') ??
        documents ??
        (request === undefined ? undefined : promptMessages(span, 'llm.completions', 'assistant')),
      tokens: {
        input: span.number('llm.usage.prompt_tokens'),
        output: span.number('llm.usage.completion_tokens'),
        cacheRead: span.number('llm.usage.cache_read_input_tokens'),
        cacheWrite: span.number('llm.usage.cache_creation_input_tokens'),
        reasoning: span.number('llm.usage.reasoning_tokens'),
      },
      sessionId: typeof session === 'string' ? session : undefined,
      user: user === undefined || user === null || user === '' ? undefined : { id: String(user) },
      ...(span.text('traceloop.prompt.key') === undefined ? {} : { prompt: promptOf(span.span.attributes) }),
      variables: toVariables(
        span.record('traceloop.prompt.template_variables') ??
          span.below('traceloop.prompt.template_variables.'),
      ),
      metadata: properties,
      parameters: parametersOf(span),
    }
  },
}

/** Request parameters whose names differ from those of the GenAI conventions. */
const parameterNames = [
  ['frequency_penalty', 'llm.frequency_penalty'],
  ['presence_penalty', 'llm.presence_penalty'],
  ['top_k', 'llm.top_k'],
  ['stop_sequences', 'llm.chat.stop_sequences'],
  ['reasoning_effort', 'llm.request.reasoning_effort'],
  ['stream', 'gen_ai.is_streaming'],
  ['stream', 'llm.is_streaming'],
] as const

function parametersOf(span: AttributeReader): Record<string, unknown> | undefined {
  const entries = parameterNames.flatMap(([name, attribute]): [string, unknown][] => {
    const value = span.value(attribute)
    return value === undefined ? [] : [[name, value]]
  })
  return entries.length === 0 ? undefined : objectOf(entries)
}

function propertiesOf(span: AttributeReader): Readonly<Record<string, unknown>> | undefined {
  const listed = span.below('traceloop.association.properties.')
  const whole = span.record('traceloop.association.properties')
  return listed === undefined && whole === undefined ? undefined : { ...whole, ...listed }
}

/** The input or output of a function, without the call arguments that the decorators wrap around it. */
function entityOf(span: AttributeReader, key: string, ...keys: readonly string[]): unknown {
  const value = span.structure(key)
  if (!isObject(value)) return value
  // LangChain's callbacks add tags, metadata and arguments, which are kept only in the raw attribute.
  const inner = keys.map((each) => field(value, each)).find((each) => each !== undefined && each !== '')
  return inner !== undefined && ('kwargs' in value || 'tags' in value || 'metadata' in value) ? inner : value
}

/** Vector stores report each retrieved document as an event. */
function documentsOf(span: AttributeReader): unknown {
  const events = span.events('db.query.result', 'vector_db.query.result')
  if (events.length === 0) return undefined
  return events.map(({ attributes }) =>
    objectOf(
      Object.entries(attributes).map(([key, value]) => [
        key.replace(/^(db|vector_db)\.query\.result\./, ''),
        parseStructure(value),
      ]),
    ),
  )
}
