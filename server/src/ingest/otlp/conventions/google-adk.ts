/** `gcp.vertex.agent.*`: Google's Agent Development Kit, which records whole requests and responses of Gemini. */
import type { Convention } from '../facts.ts'
import { field, isObject, numberOrUndefined } from '../json-value.ts'
import { readMessages } from '../messages/read-messages.ts'

const prefix = 'gcp.vertex.agent.'

export const googleAdk: Convention = {
  name: 'google-adk',
  namespaces: ['gcp'],
  understands: /^gcp\.vertex\.agent\./,
  read(span) {
    const request = nonEmpty(span.structure(`${prefix}llm_request`))
    const response = nonEmpty(span.structure(`${prefix}llm_response`))
    const usage = field(response, 'usage_metadata') ?? field(response, 'usageMetadata')
    const count = (inPython: string, inJava: string) =>
      numberOrUndefined(field(usage, inPython) ?? field(usage, inJava))
    const thoughts = count('thoughts_token_count', 'thoughtsTokenCount')
    const model = field(request, 'model')
    const isGemini =
      span.text('gen_ai.system') === 'gcp.vertex.agent' && typeof model === 'string' && /^gemini/.test(model)
    return {
      model: typeof model === 'string' ? model : undefined,
      provider: isGemini ? 'gcp.gemini' : undefined,
      input:
        span.structure(`${prefix}tool_call_args`) ??
        readMessages(request, 'user') ??
        request ??
        span.structure(`${prefix}data`),
      output: span.structure(`${prefix}tool_response`) ?? readMessages(response, 'assistant') ?? response,
      tokens: {
        input: count('prompt_token_count', 'promptTokenCount'),
        output: sumOf(count('candidates_token_count', 'candidatesTokenCount'), thoughts),
        cacheRead: count('cached_content_token_count', 'cachedContentTokenCount'),
        reasoning: thoughts,
        // In Java, the output count of the span itself lacks the thoughts, which the total includes.
        total: numberOrUndefined(field(usage, 'totalTokenCount')),
      },
      sessionId: span.text(`${prefix}session_id`),
    }
  },
}

/** Tool spans have `{}` instead of a model's request and response. */
const nonEmpty = (value: unknown): unknown =>
  isObject(value) && Object.keys(value).length === 0 ? undefined : value

function sumOf(...parts: readonly unknown[]): number | undefined {
  const numbers = parts.flatMap((part) => numberOrUndefined(part) ?? [])
  return numbers.length === 0 ? undefined : numbers.reduce((sum, part) => sum + part, 0)
}
