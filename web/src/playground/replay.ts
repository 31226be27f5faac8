/** Prepares a recorded call to run again: its messages, model, parameters, tools and schema. Pure. */
import type { ModelInput, StoredLog } from '@plumbline/sdk'
import { isObject } from '../traces/messages/json.ts'
import type { Message, Part } from '../traces/messages/message.ts'
import { readMessages } from '../traces/messages/read-messages.ts'

/** A message in OpenAI format, which a run accepts. */
export type ChatMessage = Readonly<Record<string, unknown>> & { readonly role: string }

export interface Replay {
  readonly messages: readonly ChatMessage[]
  readonly model: string
  readonly parameters: NonNullable<ModelInput['parameters']>
  /** The prompt of the call, to save the result as its next version. */
  readonly prompt: string | undefined
}

/** `base` is the configuration of the version that the log used; the values of the log take precedence. */
export function replayOf(log: StoredLog, base: ModelInput | undefined): Replay {
  const read = readMessages(log.input, 'input')
  const plain = typeof log.input === 'string' ? log.input : JSON.stringify(log.input ?? '', null, 2)
  return {
    messages: read === undefined ? [{ role: 'user', content: plain }] : read.flatMap(toChat),
    model: log.model ?? base?.model ?? '',
    parameters: { ...base?.parameters, ...parametersOf(log) },
    prompt: log.prompt?.slug,
  }
}

/** Converts messages of any provider to OpenAI format. Each tool result is a separate message. */
function toChat({ role, parts }: Message): readonly ChatMessage[] {
  const results = parts.flatMap((part) => (part.type === 'toolResult' ? [resultOf(part)] : []))
  const calls = parts.flatMap((part, index) => (part.type === 'toolCall' ? [callOf(part, index)] : []))
  const content = parts.flatMap((part) => (part.type === 'file' && role !== 'user' ? [] : contentOf(part)))
  if (content.length === 0 && calls.length === 0) return results
  const [only] = content
  const isPlain = content.length === 1 && only?.type === 'text'
  return [
    ...results,
    {
      role: role === 'tool' ? 'user' : role,
      content: isPlain ? only.text : content,
      ...(calls.length > 0 && { tool_calls: calls }),
    },
  ]
}

type Content =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image_url'; readonly image_url: { readonly url: string } }
  | { readonly type: 'file'; readonly file: { readonly filename?: string; readonly file_data?: string } }

/** Without reasoning: providers accept only their own, and signed. */
function contentOf(part: Part): readonly Content[] {
  if (part.type === 'text') return [{ type: 'text', text: part.text }]
  if (part.type === 'image') return [{ type: 'image_url', image_url: { url: part.address } }]
  // A file that the message only references cannot be resent: the run reports this instead of omitting it.
  if (part.type === 'file')
    return [
      {
        type: 'file',
        file: { filename: part.name ?? 'file', ...(part.address && { file_data: part.address }) },
      },
    ]
  if (part.type === 'other') return [{ type: 'text', text: JSON.stringify(part.value) }]
  return []
}

const resultOf = ({ id, result }: Extract<Part, { type: 'toolResult' }>): ChatMessage => ({
  role: 'tool',
  tool_call_id: id ?? '',
  content: typeof result === 'string' ? result : JSON.stringify(result ?? ''),
})

const callOf = ({ id, name, args }: Extract<Part, { type: 'toolCall' }>, index: number) => ({
  id: id ?? `call_${index}`,
  type: 'function',
  function: { name, arguments: typeof args === 'string' ? args : JSON.stringify(args ?? {}) },
})

/** The places where clients record the parameters of a call, and their names for them. */
const spellings = {
  temperature: ['temperature'],
  topP: ['topP', 'top_p'],
  topK: ['topK', 'top_k'],
  maxLength: ['maxLength', 'max_completion_tokens', 'max_output_tokens', 'max_tokens', 'maxOutputTokens'],
  frequencyPenalty: ['frequencyPenalty', 'frequency_penalty'],
  presencePenalty: ['presencePenalty', 'presence_penalty'],
  reasoningEffort: ['reasoningEffort', 'reasoning_effort'],
  verbosity: ['verbosity'],
  tools: ['tools'],
  toolChoice: ['toolChoice', 'tool_choice'],
} as const

function parametersOf({ metadata, input }: StoredLog): NonNullable<ModelInput['parameters']> {
  const sources = [
    metadata?.parameters,
    metadata?.modelParameters,
    metadata?.invocation_parameters,
    metadata,
    input,
  ].filter(isObject)
  const find = (names: readonly string[]): unknown =>
    sources.flatMap((source) => names.map((name) => source[name])).find((value) => value != null)
  const settings = Object.entries(spellings).flatMap(([name, names]) => {
    const value = find(names)
    return value === undefined ? [] : [[name, value] as const]
  })
  return { ...Object.fromEntries(settings), ...formatOf(find(['responseFormat', 'response_format'])) }
}

function formatOf(format: unknown): NonNullable<ModelInput['parameters']> {
  const type = isObject(format) ? format.type : format
  if (type === 'json_object') return { responseFormat: type }
  if (type !== 'json_schema') return {}
  const schema = isObject(format) && isObject(format.json_schema) ? format.json_schema : format
  return { responseFormat: type, ...(isObject(schema) && { jsonObject: schema }) }
}

/** Characters that a template would interpret. */
const isTemplate = (text: unknown): boolean => typeof text !== 'string' || /\{[{%#]/.test(text)

/**
 * A system and a user message become the two texts of a prompt, and can be edited and saved as one. Longer
 * conversations stay messages.
 */
export function textsOfMessages(
  messages: readonly ChatMessage[],
): { readonly systemText: string; readonly text: string } | undefined {
  const users = messages.filter(({ role }) => role === 'user')
  const systems = messages.filter(({ role }) => role === 'system')
  const isPrompt =
    users.length === 1 && systems.length <= 1 && messages.length === users.length + systems.length
  if (!isPrompt || messages.some(({ content }) => isTemplate(content))) return undefined
  return { systemText: String(systems[0]?.content ?? ''), text: String(users[0]?.content) }
}
