/**
 * Reads messages from recorded inputs and outputs: OpenAI's chat and responses, Anthropic's content blocks, Gemini's
 * contents, the Vercel AI SDK's parts, OpenTelemetry's `{ role, parts }`, LangChain's classes. Pure. Any other value
 * is not a chat, and is shown as text or JSON.
 */
import { field, isObject, parsedJson, textAt } from './json.ts'
import type { Message, Part, Role } from './message.ts'
import { plainResult, readAudio, readParts } from './read-parts.ts'

/** The messages of a value; undefined if it has no known shape. */
export function readMessages(value: unknown, side: 'input' | 'output'): readonly Message[] | undefined {
  const read = messagesOf(parsedJson(value), side)
  return read === undefined || read.length === 0 ? undefined : read
}

function messagesOf(value: unknown, side: 'input' | 'output'): readonly Message[] | undefined {
  if (Array.isArray(value)) return listOf(value)
  if (!isObject(value)) return undefined
  const message = readMessage(value)
  if (message !== undefined) return [message]
  return side === 'input' ? requestOf(value) : (responseOf(value) ?? requestOf(value))
}

/** A list counts as messages only if every item is one. */
function listOf(list: readonly unknown[]): readonly Message[] | undefined {
  // LangChain has a list for each of several calls.
  const [first] = list
  if (list.length === 1 && Array.isArray(first)) return listOf(first)
  const messages: Message[] = []
  for (const item of list) {
    const message = readMessage(item)
    if (message === undefined) return undefined
    messages.push(message)
  }
  return messages
}

type Fields = Readonly<Record<string, unknown>>

const roles: Readonly<Record<string, Role>> = {
  system: 'system',
  developer: 'system',
  SystemMessage: 'system',
  user: 'user',
  human: 'user',
  HumanMessage: 'user',
  assistant: 'assistant',
  ai: 'assistant',
  model: 'assistant',
  AIMessage: 'assistant',
  AIMessageChunk: 'assistant',
  tool: 'tool',
  function: 'tool',
  ToolMessage: 'tool',
  FunctionMessage: 'tool',
}

function readMessage(item: unknown): Message | undefined {
  if (!isObject(item)) return undefined
  // An OpenAI choice, or an OpenTelemetry event.
  if (isObject(item.message)) return readMessage(item.message)
  const constructed = item.lc === undefined ? undefined : className(item)
  if (constructed !== undefined && isObject(item.kwargs)) return readSpokenMessage(item.kwargs, constructed)
  const role = textAt(item, 'role')
  if (role !== undefined && ['content', 'parts', 'tool_calls', 'audio'].some((name) => name in item))
    return readSpokenMessage(item, role)
  const type = textAt(item, 'type')
  if (type !== undefined && roles[type] !== undefined && 'content' in item)
    return readSpokenMessage(item, type)
  // LangChain's serialized form of a message.
  if (type !== undefined && roles[type] !== undefined && isObject(item.data))
    return readSpokenMessage(item.data, type)
  return itemOf(item, type)
}

const className = (item: Fields): string | undefined => {
  const id = Array.isArray(item.id) ? item.id.at(-1) : undefined
  return typeof id === 'string' ? id : undefined
}

/** Items of OpenAI responses in place of messages, and separate AI SDK calls. */
function itemOf(item: Fields, type: string | undefined): Message | undefined {
  if (
    type === 'function_call' ||
    (type === undefined && 'toolName' in item && !('result' in item || 'output' in item))
  )
    return messageOf('assistant', readParts({ ...item, type: 'tool-call' }))
  if (type === 'function_call_output' || (type === undefined && 'toolName' in item))
    return messageOf('tool', readParts({ ...item, type: 'tool-result' }))
  if (type === 'reasoning') return messageOf('assistant', readParts(item))
  return undefined
}

const messageOf = (role: Role, parts: readonly Part[]): Message => ({ role, name: undefined, parts })

function readSpokenMessage(message: Fields, rawRole: string): Message {
  const role = roles[rawRole] ?? 'user'
  const extra = isObject(message.additional_kwargs) ? message.additional_kwargs : {}
  const reasoning =
    textAt(message, 'reasoning_content') ?? textAt(message, 'reasoning') ?? textAt(extra, 'reasoning_content')
  const content = readParts(message.content ?? message.parts)
  const resultId = textAt(message, 'tool_call_id') ?? textAt(message, 'toolCallId')
  const isResult = role === 'tool' && !content.some(({ type }) => type === 'toolResult')
  const parts: readonly Part[] = [
    ...(reasoning === undefined ? [] : [{ type: 'reasoning', text: reasoning } as const]),
    ...(isResult
      ? [
          {
            type: 'toolResult',
            id: resultId ?? textAt(message, 'id'),
            name: textAt(message, 'name'),
            result: plainResult(message.content ?? message.parts),
            isError: message.status === 'error',
          } as const,
        ]
      : content),
    ...readAudio(message.audio ?? extra.audio),
    ...callsOf(message.tool_calls ?? message.toolCalls ?? extra.tool_calls, content),
    ...(isObject(message.function_call)
      ? readParts({ ...message.function_call, type: 'function_call' })
      : []),
  ]
  const speaker = textAt(message, 'name')
  return { role, name: roles[rawRole] === undefined ? rawRole : isResult ? undefined : speaker, parts }
}

/** Calls beside the content; LangChain repeats those in the content. */
function callsOf(calls: unknown, content: readonly Part[]): readonly Part[] {
  if (!Array.isArray(calls)) return []
  const callIds = new Set(content.flatMap((part) => (part.type === 'toolCall' ? [part.id] : [])))
  return calls
    .flatMap((call) => readParts(isObject(call) ? { ...call, type: 'tool_call' } : call))
    .filter((part) => part.type !== 'toolCall' || part.id === undefined || !callIds.has(part.id))
}

/** A request as sent to a provider: the system text beside the messages. */
function requestOf(value: Fields): readonly Message[] | undefined {
  const config = isObject(value.config) ? value.config : value
  const system = [
    value.system,
    value.instructions,
    value.system_instructions,
    config.systemInstruction,
    config.system_instruction,
  ]
    .map((text) => (isObject(text) && 'parts' in text ? text.parts : text))
    .flatMap(readParts)
  const first = system.length === 0 ? [] : [messageOf('system', system)]
  const list = [value.messages, value.contents, value.input, value.prompt].find(Array.isArray)
  const messages = list === undefined ? undefined : listOf(list)
  if (messages !== undefined) return [...first, ...messages]
  const prompt = value.prompt ?? (first.length > 0 ? value.input : undefined)
  if (typeof prompt === 'string') return [...first, messageOf('user', readParts(prompt))]
  return undefined
}

/** A response as received from a provider. */
function responseOf(value: Fields): readonly Message[] | undefined {
  const lists = [value.choices, value.output, value.messages].filter((list) => Array.isArray(list))
  for (const list of lists) {
    const messages = listOf(list)
    if (messages !== undefined && messages.length > 0) return messages
  }
  const candidates = Array.isArray(value.candidates) ? value.candidates : [value]
  const contents = candidates.map((candidate) => field(candidate, 'content')).filter(isObject)
  if (contents.length > 0 && contents.length === candidates.length) return listOf(contents)
  if (Array.isArray(value.generations)) {
    const outputs = value.generations.flat()
    return listOf(
      outputs.map(
        (choice) => field(choice, 'message') ?? { role: 'assistant', content: textAt(choice, 'text') ?? '' },
      ),
    )
  }
  return ofAiSdk(value)
}

/** A response of the Vercel AI SDK: text, reasoning and calls in separate fields. */
function ofAiSdk(value: Fields): readonly Message[] | undefined {
  if (!('toolCalls' in value) && !('reasoning' in value && 'text' in value)) return undefined
  const reasoning = value.reasoning
  const parts: readonly Part[] = [
    ...(typeof reasoning === 'string' && reasoning !== ''
      ? [{ type: 'reasoning', text: reasoning } as const]
      : []),
    ...readParts(value.text),
    ...callsOf(parsedJson(value.toolCalls), []),
  ]
  return parts.length === 0 ? undefined : [messageOf('assistant', parts)]
}
