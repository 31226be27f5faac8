/** `mlflow.*`: spans of MLflow, whose values are all JSON text. */
import type { LogType } from '@plumbline/contract'
import type { Convention } from '../facts.ts'
import { field, numberOrUndefined, parseJson, structured, textOrUndefined } from '../json-value.ts'

const kinds: Readonly<Record<string, LogType>> = {
  LLM: 'generation',
  CHAT_MODEL: 'generation',
  EMBEDDING: 'generation',
  RETRIEVER: 'retrieval',
  RERANKER: 'retrieval',
  TOOL: 'tool',
  AGENT: 'span',
  CHAIN: 'span',
  PARSER: 'span',
  WORKFLOW: 'span',
  GUARDRAIL: 'span',
  EVALUATOR: 'span',
}

export const mlflow: Convention = {
  name: 'mlflow',
  namespaces: ['mlflow'],
  read(span) {
    span.knows((key) => key.startsWith('mlflow.'))
    const of = (key: string) => {
      const value = span.value(key)
      return typeof value === 'string' ? (parseJson(value, 'anything') ?? value) : structured(value)
    }
    const type = textOrUndefined(of('mlflow.spanType'))
    const usage = of('mlflow.chat.tokenUsage')
    const user = textOrUndefined(of('mlflow.trace.user'))
    return {
      kind: type !== undefined && Object.hasOwn(kinds, type) ? kinds[type] : undefined,
      isEmbedding: type === 'EMBEDDING',
      model: textOrUndefined(of('mlflow.llm.model') ?? of('mlflow.chat.model')),
      provider: textOrUndefined(of('mlflow.llm.provider')),
      input: of('mlflow.spanInputs'),
      output: of('mlflow.spanOutputs'),
      tokens: {
        input: numberOrUndefined(field(usage, 'input_tokens')),
        output: numberOrUndefined(field(usage, 'output_tokens')),
        cacheRead: numberOrUndefined(field(usage, 'cache_read_input_tokens')),
        cacheWrite: numberOrUndefined(field(usage, 'cache_creation_input_tokens')),
      },
      cost: numberOrUndefined(field(of('mlflow.llm.cost'), 'total_cost')),
      sessionId: textOrUndefined(of('mlflow.trace.session')),
      user: user === undefined ? undefined : { id: user },
    }
  },
}
