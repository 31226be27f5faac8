/** Traceloop's OpenLLMetry: `traceloop.*`, and `llm.*` beside the GenAI names. */
import type { LogType } from '@plumbline/contract'
import type { Convention } from '../facts.ts'
import { field, isObject, objectOf, structured } from '../json-value.ts'
import { promptOf } from '../references.ts'
import type { SpanReader } from '../span-reader.ts'
import { labelled } from './own-client.ts'

const kinds: Readonly<Record<string, LogType>> = {
  tool: 'tool',
  workflow: 'span',
  task: 'span',
  agent: 'span',
}

export const traceloop: Convention = {
  name: 'traceloop',
  namespaces: ['traceloop', 'llm', 'db', 'vector_db', 'gen_ai'],
  read(span) {
    const kind = span.text('traceloop.span.kind')
    const request = span.text('llm.request.type')
    const properties = propertiesOf(span)
    const { session_id: session, user_id: user } = properties ?? {}
    const documents = documentsOf(span)
    span.knows((key) =>
      /^(traceloop\.|llm\.(usage|request|response|headers|is_streaming|chat|top_k|frequency_penalty|presence_penalty|user)|db\.(vector|query)|gen_ai\.guardrail|vector_db\.)/.test(
        key,
      ),
    )
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
      model: span.text('llm.response.model', 'llm.request.model'),
      provider: span.text('llm.vendor'),
      input: entityOf(span, 'traceloop.entity.input', 'inputs', 'input_str'),
      output: entityOf(span, 'traceloop.entity.output', 'outputs') ?? documents,
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
      variables: labelled(
        span.record('traceloop.prompt.template_variables') ??
          span.below('traceloop.prompt.template_variables.'),
      ),
      metadata: properties,
    }
  },
}

function propertiesOf(span: SpanReader): Readonly<Record<string, unknown>> | undefined {
  const listed = span.below('traceloop.association.properties.')
  const sent = span.record('traceloop.association.properties')
  return listed === undefined && sent === undefined ? undefined : { ...sent, ...listed }
}

/** What went into a function or came out: the decorators wrap it with how it was called. */
function entityOf(span: SpanReader, key: string, ...held: readonly string[]): unknown {
  const value = span.structure(key)
  if (!isObject(value)) return value
  // LangChain's callbacks add tags, metadata and arguments of their own, which the attribute keeps.
  const inner = held.map((each) => field(value, each)).find((each) => each !== undefined && each !== '')
  return inner !== undefined && ('kwargs' in value || 'tags' in value || 'metadata' in value) ? inner : value
}

/** Vector stores tell each document found as an event. */
function documentsOf(span: SpanReader): unknown {
  const found = span.events('db.query.result', 'vector_db.query.result')
  if (found.length === 0) return undefined
  return found.map(({ attributes }) =>
    objectOf(
      Object.entries(attributes).map(([key, value]) => [
        key.replace(/^(db|vector_db)\.query\.result\./, ''),
        structured(value),
      ]),
    ),
  )
}
