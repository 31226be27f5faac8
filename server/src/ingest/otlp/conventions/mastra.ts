/** `mastra.*`: Mastra's OpenTelemetry exporter, in addition to the GenAI names; values have names by type of span. */
import type { LogType } from '@plumbline/contract'
import type { Convention } from '../facts.ts'
import { field, isObject, textOrUndefined } from '../json-value.ts'
import type { Message, Part } from '../messages/message.ts'
import { readToolCall } from '../messages/read-part.ts'

const kinds: Readonly<Record<string, LogType>> = {
  agent_run: 'span',
  workflow_run: 'span',
  workflow_step: 'span',
  model_generation: 'span',
  model_step: 'span',
  model_inference: 'generation',
  model_chunk: 'event',
  tool_call: 'tool',
  mcp_tool_call: 'tool',
}

export const mastra: Convention = {
  name: 'mastra',
  namespaces: ['mastra'],
  understands: /^mastra\./,
  read(span) {
    const type = span.text('mastra.span.type')
    const metadata = span.below('mastra.metadata.')
    const user = textOrUndefined(metadata?.userId)
    return {
      kind: type !== undefined && Object.hasOwn(kinds, type) ? kinds[type] : undefined,
      input: type === undefined ? undefined : span.structure(`mastra.${type}.input`),
      output: type === undefined ? undefined : answerOf(span.structure(`mastra.${type}.output`)),
      sessionId: textOrUndefined(metadata?.sessionId ?? metadata?.threadId),
      user: user === undefined ? undefined : { id: user },
      metadata,
    }
  },
}

/** `{ text, toolCalls, reasoning }` as a message; any other value is unchanged. */
function answerOf(output: unknown): unknown {
  if (!isObject(output) || typeof output.text !== 'string') return output
  const calls = Array.isArray(output.toolCalls) ? output.toolCalls : []
  // With a text, the last step called no tool, although the sum of all steps lists every call.
  const isAnswer = output.text !== ''
  const parts: Part[] = isAnswer
    ? [{ type: 'text', content: output.text }]
    : calls.flatMap((call) => readToolCall({ ...(isObject(call) ? call : {}), type: 'tool_call' }) ?? [])
  const object = field(output, 'object')
  if (parts.length === 0) return object ?? output
  return [{ role: 'assistant', parts }] satisfies Message[]
}
