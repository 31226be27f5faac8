/**
 * Commands for a terminal: one that reads a trace, and one that repeats a model call. Pure. Keys are left to the
 * user.
 */
import type { StoredLog } from '@plumbline/sdk'
import { isObject, parsedJson, textAt } from '../messages/json.ts'

export const curlOfTrace = (origin: string, traceId: string): string =>
  `curl ${quote(`${origin}/monitor/traces/${traceId}`)} \\\n  -H "authorization: Bearer $PLUMBLINE_API_KEY"`

const makers: Readonly<Record<string, { readonly url: string; readonly headers: readonly string[] }>> = {
  openai: {
    url: 'https://api.openai.com/v1/chat/completions',
    headers: ['"authorization: Bearer $OPENAI_API_KEY"'],
  },
  anthropic: {
    url: 'https://api.anthropic.com/v1/messages',
    headers: ['"x-api-key: $ANTHROPIC_API_KEY"', '"anthropic-version: 2023-06-01"'],
  },
  mistral: {
    url: 'https://api.mistral.ai/v1/chat/completions',
    headers: ['"authorization: Bearer $MISTRAL_API_KEY"'],
  },
  xai: {
    url: 'https://api.x.ai/v1/chat/completions',
    headers: ['"authorization: Bearer $XAI_API_KEY"'],
  },
}

/** Parameters that are included if the log has them. */
const parameters = ['temperature', 'top_p', 'seed', 'tools', 'tool_choice', 'response_format'] as const

/** The call of a generation to its provider; undefined if the provider would not accept its format as is. */
export function curlOfCall({ type, provider, model, input, metadata }: StoredLog): string | undefined {
  const maker = makers[(provider ?? '').toLowerCase().replaceAll(/[^a-z]/g, '')]
  const parsedInput = parsedJson(input)
  if (type !== 'generation' || maker === undefined || !model) return undefined
  const request =
    isObject(parsedInput) && Array.isArray(parsedInput.messages) ? parsedInput : { messages: parsedInput }
  const { messages } = request
  if (!Array.isArray(messages) || !messages.every((message) => textAt(message, 'role') !== undefined))
    return undefined
  const settings = parameters.flatMap((name) => {
    const value = metadata?.[name]
    return value === undefined || value === null ? [] : [[name, value]]
  })
  const body = JSON.stringify(
    { model, ...Object.fromEntries(settings), ...forMaker(maker.url, request) },
    null,
    2,
  )
  const headers = ['"content-type: application/json"', ...maker.headers].map(
    (header) => `  -H ${header} \\\n`,
  )
  return `curl ${quote(maker.url)} \\\n${headers.join('')}  -d ${quote(body)}`
}

/** Anthropic expects the system text beside the messages, and requires a token limit. */
function forMaker(
  url: string,
  request: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const { messages } = request
  if (!url.includes('anthropic') || !Array.isArray(messages)) return request
  const system = messages
    .filter((message) => textAt(message, 'role') === 'system')
    .map((message) => textAt(message, 'content'))
    .join('\n\n')
  return {
    max_tokens: 4096,
    ...(system !== '' && { system }),
    ...request,
    messages: messages.filter((message) => textAt(message, 'role') !== 'system'),
  }
}

/** A shell expands nothing in single quotes; quotes within are escaped separately. */
const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`
