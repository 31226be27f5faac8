/** `mlflow.*`: MLflow, where every value is JSON text. */
import type { LogType } from '@plumbline/contract'
import type { Convention } from '../facts.ts'
import { field, numberOrUndefined, parseJson, parseStructure, textOrUndefined } from '../json-value.ts'

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
  understands: /^mlflow\./,
  read(span) {
    const readAttribute = (key: string) => {
      const value = span.value(key)
      return typeof value === 'string' ? (parseJson(value, 'anything') ?? value) : parseStructure(value)
    }
    const type = textOrUndefined(readAttribute('mlflow.spanType'))
    const usage = readAttribute('mlflow.chat.tokenUsage')
    const user = textOrUndefined(readAttribute('mlflow.trace.user'))
    return {
      kind: type !== undefined && Object.hasOwn(kinds, type) ? kinds[type] : undefined,
      isEmbedding: type === 'EMBEDDING',
      model: textOrUndefined(readAttribute('mlflow.llm.model') ?? readAttribute('mlflow.chat.model')),
      provider: textOrUndefined(readAttribute('mlflow.llm.provider')),
      input: readAttribute('mlflow.spanInputs'),
      output: readAttribute('mlflow.spanOutputs'),
      tokens: {
        input: numberOrUndefined(field(usage, 'input_tokens')),
        output: numberOrUndefined(field(usage, 'output_tokens')),
        cacheRead: numberOrUndefined(field(usage, 'cache_read_input_tokens')),
        cacheWrite: numberOrUndefined(field(usage, 'cache_creation_input_tokens')),
      },
      cost: numberOrUndefined(field(readAttribute('mlflow.llm.cost'), 'total_cost')),
      sessionId: textOrUndefined(readAttribute('mlflow.trace.session')),
      user: user === undefined ? undefined : { id: user },
    }
  },
}
