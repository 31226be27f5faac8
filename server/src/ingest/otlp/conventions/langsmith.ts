/** `langsmith.*`: LangSmith's OpenTelemetry exporter, for LangChain and LangGraph; it also uses GenAI names. */
import type { LogType } from '@plumbline/contract'
import type { AttributeReader } from '../attribute-reader.ts'
import type { Convention, Tokens } from '../facts.ts'
import { isObject, numberOrUndefined, recordOrUndefined, textOrUndefined } from '../json-value.ts'

const kinds: Readonly<Record<string, LogType>> = {
  llm: 'generation',
  embedding: 'generation',
  retriever: 'retrieval',
  tool: 'tool',
  chain: 'span',
  prompt: 'span',
  parser: 'span',
}

export const langSmith: Convention = {
  name: 'langsmith',
  namespaces: ['langsmith'],
  understands: /^langsmith\./,
  read(span) {
    const kind = span.text('langsmith.span.kind')?.toLowerCase()
    const metadata = span.below('langsmith.metadata.')
    const tags = span.structure('langsmith.span.tags')
    if (kind === undefined && metadata === undefined) return undefined
    const user = textOrUndefined(metadata?.user_id ?? metadata?.userId)
    return {
      kind: kind === undefined || !Object.hasOwn(kinds, kind) ? undefined : kinds[kind],
      isEmbedding: kind === 'embedding',
      model: textOrUndefined(metadata?.ls_model_name),
      provider: textOrUndefined(metadata?.ls_provider),
      tokens: tokensOf(metadata?.usage_metadata),
      // `langsmith.trace.session_*` name a LangSmith project, not a session of the application.
      sessionId: textOrUndefined(metadata?.session_id ?? metadata?.conversation_id ?? metadata?.thread_id),
      user: user === undefined ? undefined : { id: user },
      metadata:
        metadata === undefined && tags === undefined
          ? undefined
          : { ...(tags === undefined ? {} : { tags }), ...metadata },
    }
  },
}

/** LangChain's usage, with cached tokens and reasoning; `gen_ai.usage.*` contains these as the text of a Python value. */
function tokensOf(usage: unknown): Tokens | undefined {
  const details = recordOrUndefined(usage)
  return details === undefined
    ? undefined
    : {
        input: numberOrUndefined(details.input_tokens),
        output: numberOrUndefined(details.output_tokens),
        total: numberOrUndefined(details.total_tokens),
        details,
      }
}

/** The value that a run returned. LangSmith wraps it in `output` unless it is already an object. */
export function returnedValue(value: unknown, span: AttributeReader): unknown {
  const isEnvelope = isObject(value) && Object.keys(value).join() === 'output'
  return isEnvelope && span.has('langsmith.span.kind') ? value.output : value
}
