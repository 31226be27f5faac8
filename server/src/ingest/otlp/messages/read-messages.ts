/** Reads messages from lists, single messages, requests and responses into one form. */
import { isDeepStrictEqual } from 'node:util'
import { field, isObject, parseJson, textOrUndefined } from '../json-value.ts'
import {
  isPlainConversation,
  isRole,
  type Message,
  normalizeRole,
  type Part,
  textMessage,
} from './message.ts'
import { readContent, readToolCall, toolResponse } from './read-part.ts'

type Fields = Readonly<Record<string, unknown>>

/** The messages of a value or its JSON text; undefined unless it is messages, a request or a response. */
export function readMessages(value: unknown, role: 'user' | 'assistant'): Message[] | undefined {
  if (typeof value === 'string') {
    const parsed = parseJson(value)
    return parsed === undefined ? undefined : readMessages(parsed, role)
  }
  if (Array.isArray(value)) return readList(value, role)
  return isObject(value) ? readHolder(value, role) : undefined
}

function readList(list: readonly unknown[], role: 'user' | 'assistant'): Message[] | undefined {
  if (list.length === 0) return undefined
  const read: Message[] = []
  for (const each of list) {
    // Frameworks with batches nest one list per run, some of them as JSON text.
    const item = typeof each === 'string' ? parseJson(each) : each
    const messages = Array.isArray(item)
      ? readList(item, role)
      : isObject(item)
        ? readMessage(item, role)
        : undefined
    if (messages === undefined) return undefined
    for (const message of messages) read.push(message)
  }
  return read
}

const responseKeys = ['output', 'message', 'content', 'kwargs']
const requestKeys = ['messages', 'contents', 'input', 'prompt', ...responseKeys, 'new_message']

/** Reads requests and responses by the keys that hold their messages. */
function readHolder(holder: Fields, role: 'user' | 'assistant'): Message[] | undefined {
  // A model's structured output may resemble a request or a message; none of it may be lost.
  const isOutput = role === 'assistant'
  const isOther = isOutput && typeof holder.role === 'string' && !isRole(holder.role)
  const single = isOther ? undefined : readMessage(holder, role)
  if (single !== undefined) return single
  if (Array.isArray(holder.choices)) return readList(holder.choices, role)
  if (Array.isArray(holder.candidates)) return readList(holder.candidates, role)
  // LangChain's result has one list of generations per prompt.
  if (Array.isArray(holder.generations)) {
    const generations = holder.generations.flat().map((each) => field(each, 'message') ?? each)
    return readList(generations, role)
  }
  if (!isOutput && typeof holder.prompt === 'string' && holder.prompt !== '') {
    const system = systemOf(holder)
    const prompt = textMessage('user', holder.prompt)
    return system.length === 0 ? [prompt] : [{ role: 'system', parts: system }, prompt]
  }
  const isState = Object.keys(holder).join() === 'messages'
  for (const key of isOutput && !isState ? responseKeys : requestKeys) {
    const innerValue = holder[key]
    const messages =
      Array.isArray(innerValue) || isObject(innerValue) ? readMessages(innerValue, role) : undefined
    if (messages === undefined) continue
    const system = systemOf(holder)
    return messages[0]?.role !== 'system' && system.length > 0
      ? [{ role: 'system', parts: system }, ...messages]
      : messages
  }
  return undefined
}

/** The system message of a request that keeps it outside the messages. */
function systemOf(holder: Fields): Part[] {
  const config = isObject(holder.config) ? holder.config : {}
  const system =
    holder.system ??
    holder.instructions ??
    holder.systemInstruction ??
    holder.system_instruction ??
    config.system_instruction ??
    config.systemInstruction
  return readContent(field(system, 'parts') ?? system)
}

/** Reads one message, which may have an envelope; undefined for any other value. */
function readMessage(value: Fields, role: 'user' | 'assistant'): Message[] | undefined {
  const event = textOrUndefined(value['event.name'])
  // OpenInference, and choices of OpenAI and of the GenAI events.
  if (isObject(value.message)) {
    const finish = textOrUndefined(value.finish_reason)
    const inner = readMessage({ role: value.role ?? 'assistant', ...value.message }, role)
    return inner?.map((message) => (finish === undefined ? message : { ...message, finish_reason: finish }))
  }
  const langChain = readLangChain(value)
  if (langChain !== undefined) return langChain
  const item = readResponseItem(value)
  if (item !== undefined) return [item]
  // A Gemini candidate: `{ content: { role, parts } }`.
  if (isObject(value.content) && Array.isArray(value.content.parts)) {
    return readMessage({ role: 'model', ...value.content }, role)
  }
  const speaker = textOrUndefined(value.role) ?? roleOfEvent(event) ?? pydanticRole(value)
  if (speaker === undefined) return undefined
  const message = messageOf(normalizeRole(speaker), value)
  return message === undefined ? undefined : [message]
}

const roleOfEvent = (event: string | undefined): string | undefined =>
  /^gen_ai\.(system|user|assistant|tool)\.message$/.exec(event ?? '')?.[1] ??
  (event === 'gen_ai.choice' ? 'assistant' : undefined)

/** Pydantic AI's own history: `{ kind: 'request' | 'response', parts }`. */
const pydanticRole = (value: Fields): string | undefined =>
  Array.isArray(value.parts) && (value.kind === 'request' || value.kind === 'response')
    ? value.kind === 'request'
      ? 'user'
      : 'assistant'
    : undefined

const contentKeys = [
  'content',
  'parts',
  'contents',
  'tool_calls',
  'function_call',
  'refusal',
  'text',
  'toolInvocations',
  ...['function_call_name', 'tool_call_id', 'reasoning_content'],
]

function messageOf(role: string, value: Fields): Message | undefined {
  if (!contentKeys.some((key) => key in value)) {
    // An empty message is a message only without any other fields.
    return Object.keys(value).every((key) => ['role', 'name', 'id', 'finish_reason'].includes(key))
      ? { role, parts: [] }
      : undefined
  }
  const rawContent = value.parts ?? value.contents ?? value.content ?? value.text
  const callId = value.tool_call_id ?? value.toolCallId ?? (role === 'tool' ? value.id : undefined)
  const listed = readContent(rawContent)
  const also = value.contents !== undefined && value.content != null ? readContent(value.content) : []
  const content = withoutEmptyTexts([...also.filter((part) => !has(listed, part)), ...listed])
  const isToolText =
    role === 'tool' && content.every(({ type }) => type === 'text') && rawContent !== undefined
  const parts = [
    ...reasoningOf(value),
    ...(isToolText ? [toolResponse(callId, value.name, rawContent)] : content),
    ...callsOf(value).filter((call) => !has(content, call)),
    ...(typeof value.refusal === 'string' && value.refusal !== ''
      ? [{ type: 'text' as const, content: value.refusal }]
      : []),
  ]
  const name = textOrUndefined(value.name)
  const finish = textOrUndefined(value.finish_reason ?? value.finishReason)
  return {
    role,
    ...(name === undefined ? {} : { name }),
    parts,
    ...(finish === undefined ? {} : { finish_reason: finish }),
  }
}

/** Streams leave an empty text beside a tool call. */
const withoutEmptyTexts = (parts: readonly Part[]): readonly Part[] =>
  parts.length < 2 ? parts : parts.filter((part) => part.type !== 'text' || part.content !== '')

/** OpenInference sends a text both as `message.content` and as `message.contents.N`; tool calls are repeated likewise. */
const has = (parts: readonly Part[], part: Part): boolean =>
  parts.some((each) => isDeepStrictEqual(each, part))

function reasoningOf(value: Fields): Part[] {
  const reasoning = textOrUndefined(value.reasoning_content) ?? value.reasoning
  return typeof reasoning === 'string' && reasoning !== '' ? [{ type: 'reasoning', content: reasoning }] : []
}

function callsOf(value: Fields): Part[] {
  const calls = typeof value.tool_calls === 'string' ? parseJson(value.tool_calls) : value.tool_calls
  const listed = Array.isArray(calls) ? calls : []
  const toolName =
    value.function_call_name === undefined
      ? value.function_call
      : { name: value.function_call_name, arguments: value.function_call_arguments_json }
  return [...listed, ...(isObject(toolName) ? [toolName] : [])].flatMap(
    // Everything in a list of calls is a call, even without a type.
    (call) => readToolCall(isObject(call) && !('type' in call) ? { ...call, type: 'tool_call' } : call) ?? [],
  )
}

/** Reads an item of OpenAI's Responses API that is not a message. */
function readResponseItem(value: Fields): Message | undefined {
  if ('role' in value) return undefined
  switch (value.type) {
    case 'function_call': {
      const call = readToolCall(value)
      return call === undefined ? undefined : { role: 'assistant', parts: [call] }
    }
    case 'function_call_output':
      return { role: 'tool', parts: [toolResponse(value.call_id, value.name, value.output)] }
    case 'reasoning':
      return { role: 'assistant', parts: readContent([value]) }
    default:
      return undefined
  }
}

/** LangChain: `{ lc, id: [..., 'HumanMessage'], kwargs }`, `{ type: 'human', data }` or `{ type: 'human', content }`. */
function readLangChain(value: Fields): Message[] | undefined {
  const className = Array.isArray(value.id) ? textOrUndefined(value.id.at(-1)) : undefined
  const kind = className ?? textOrUndefined(value.type)
  const innerValue = isObject(value.kwargs) ? value.kwargs : isObject(value.data) ? value.data : value
  if (kind === undefined || typeof value.role === 'string') return undefined
  const baseName = kind.replace(/Chunk$/, '')
  const role = /^(Human|AI|System|Tool|Function|Chat)Message$/.test(baseName)
    ? (textOrUndefined(innerValue.role) ?? normalizeRole(baseName))
    : /^(human|ai|system|tool|function|user|assistant|developer)$/.test(kind) && 'content' in innerValue
      ? normalizeRole(kind)
      : undefined
  if (role === undefined) return undefined
  const extra = isObject(innerValue.additional_kwargs) ? innerValue.additional_kwargs : {}
  const calls = Array.isArray(innerValue.tool_calls) && innerValue.tool_calls.length > 0 ? {} : extra
  const message = messageOf(role, { ...innerValue, ...calls, id: innerValue.id })
  return message === undefined ? undefined : [message]
}

/** The messages of a value; a text becomes one message, and any other value stays unchanged. */
export function messagesOr(value: unknown, role: 'user' | 'assistant'): unknown {
  if (isPlainConversation(value)) return value
  const messages = readMessages(value, role)
  if (messages !== undefined) return messages
  return typeof value === 'string' && value !== '' ? [textMessage(role, value)] : value
}
