/** `langsmith.*`: LangSmith's OpenTelemetry exporter, for LangChain and LangGraph; it also uses GenAI names. */
import type { LogType } from '@plumbline/contract'
import type { Convention } from '../facts.ts'
import { textOrUndefined } from '../json-value.ts'

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
  read(span) {
    const kind = span.text('langsmith.span.kind')?.toLowerCase()
    const metadata = span.below('langsmith.metadata.')
    const tags = span.structure('langsmith.span.tags')
    if (kind === undefined && metadata === undefined) return {}
    span.knows((key) => key.startsWith('langsmith.'))
    const user = textOrUndefined(metadata?.user_id ?? metadata?.userId)
    return {
      kind: kind === undefined || !Object.hasOwn(kinds, kind) ? undefined : kinds[kind],
      isEmbedding: kind === 'embedding',
      model: textOrUndefined(metadata?.ls_model_name),
      provider: textOrUndefined(metadata?.ls_provider),
      // `langsmith.trace.session_*` name a project of LangSmith, not a session of the application.
      sessionId: textOrUndefined(metadata?.session_id ?? metadata?.conversation_id ?? metadata?.thread_id),
      user: user === undefined ? undefined : { id: user },
      metadata:
        metadata === undefined && tags === undefined
          ? undefined
          : { ...(tags === undefined ? {} : { tags }), ...metadata },
    }
  },
}
