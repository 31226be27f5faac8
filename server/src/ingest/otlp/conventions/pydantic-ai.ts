/** Pydantic AI and Logfire: GenAI names and attributes without a prefix, so the scope identifies their spans. */

import type { AttributeReader } from '../attribute-reader.ts'
import type { Convention, SpanFacts } from '../facts.ts'
import { field, isObject, numberOrUndefined } from '../json-value.ts'
import { readMessages } from '../messages/read-messages.ts'

export const pydanticAi: Convention = {
  name: 'pydantic-ai',
  understands: /^(logfire\.|pydantic_ai\.|code\.|agent_name$|model_request_parameters$|tools$)/,
  read(span) {
    const { scope } = span.span
    if (
      !/^(pydantic[-_]ai|logfire)/.test(scope.name) &&
      !span.has('logfire.msg') &&
      !span.has('pydantic_ai.all_messages')
    ) {
      return undefined
    }
    const eventMessages = readMessages(span.structure('events', 'all_messages_events'), 'user')
    const all = span.structure('pydantic_ai.all_messages', 'all_messages')
    const request = span.record('request_data')
    const response = span.record('response_data')
    const isAgent = span.has('agent_name') || span.has('gen_ai.agent.name')
    const history = readMessages(all, 'user') ?? eventMessages
    const answer = span.structure('final_result')
    const exchange = split(history)
    const usage = field(response, 'usage') ?? span.record('gen_ai.usage.raw')
    return {
      name: messageOf(span),
      kind: isAgent && !span.has('gen_ai.tool.name') ? 'span' : undefined,
      model: span.text('model_name') ?? (typeof request?.model === 'string' ? request.model : undefined),
      input:
        span.structure('tool_arguments') ??
        exchange?.input ??
        readMessages(request, 'user') ??
        span.structure('prompt', 'input'),
      output:
        span.structure('tool_response') ??
        answer ??
        exchange?.output ??
        readMessages(isObject(response) ? (response.message ?? response) : undefined, 'assistant') ??
        span.structure('output'),
      tokens: {
        input: numberOrUndefined(field(usage, 'prompt_tokens') ?? field(usage, 'input_tokens')),
        output: numberOrUndefined(field(usage, 'completion_tokens') ?? field(usage, 'output_tokens')),
        reasoning: numberOrUndefined(
          field(field(usage, 'completion_tokens_details'), 'reasoning_tokens') ??
            field(field(usage, 'output_tokens_details'), 'reasoning_tokens'),
        ),
        details: usage,
      },
      metadata: metadataOf(span),
    }
  },
}

/** Logfire names a span by a template, such as `answer {question}`, and sends the formatted message separately. */
const messageOf = (span: AttributeReader): string | undefined =>
  span.text('logfire.msg_template') === span.span.name ? span.text('logfire.msg') : undefined

/** Splits a conversation: the last messages of the model are the output. */
function split(history: ReturnType<typeof readMessages>) {
  if (history === undefined) return undefined
  let end = history.length
  while (end > 0 && history[end - 1]!.role === 'assistant') end--
  const [input, output] = [history.slice(0, end), history.slice(end)]
  return {
    input: input.length === 0 ? undefined : input,
    output: output.length === 0 ? undefined : output,
  }
}

function metadataOf(span: AttributeReader): SpanFacts['metadata'] {
  const tags = span.structure('logfire.tags')
  const metadata = span.record('metadata')
  return tags === undefined && metadata === undefined
    ? undefined
    : { ...(tags === undefined ? {} : { tags }), ...metadata }
}
