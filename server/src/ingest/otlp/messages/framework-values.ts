/**
 * Converts span values from the forms of frameworks: LangChain's states and messages, arguments and results of tools. The
 * raw span keeps them unchanged.
 */
import type { LogType } from '@plumbline/contract'
import { field, isObject } from '../json-value.ts'
import { isConversation, type Message, normalizeRole, textMessage } from './message.ts'
import { readMessages } from './read-messages.ts'

type Fields = Readonly<Record<string, unknown>>

/** The value without the framework's envelope; any other value is unchanged. */
export function unwrapValue(value: unknown, type: LogType, which: 'input' | 'output'): unknown {
  if (!isObject(value) && !Array.isArray(value)) return value
  if (type === 'tool') {
    const inner = which === 'input' ? toolArguments(value) : toolResult(value)
    if (inner !== undefined) return inner
  }
  return conversationOf(value) ?? crewResult(value) ?? value
}

/** The output of a step that returns its whole state: the last messages, without the conversation that it received. */
export function answerOf(input: unknown, output: unknown): unknown {
  if (!isConversation(output) || !isConversation(input) || output.length <= input.length) return output
  const isContinued = input
    .filter(({ role }) => role !== 'system')
    .every((message, index) => JSON.stringify(message.parts) === JSON.stringify(output[index]?.parts))
  if (!isContinued) return output
  const start = output.findLastIndex(({ role }) => role !== 'assistant') + 1
  return start === 0 || start === output.length ? output : output.slice(start)
}

/** A state `{ messages }`, a command that updates it, or dumped messages; undefined for any other value. */
function conversationOf(value: unknown): Message[] | undefined {
  const update = Array.isArray(value) ? singleUpdate(value) : value
  const innerValue = field(update, 'messages')
  if (Array.isArray(innerValue) && isObject(update) && Object.keys(update).length === 1)
    return messagesIn(innerValue)
  if (Array.isArray(value) && value.length > 0 && value.every(isChatMessage))
    return readMessages(value, 'user')
  const dumps = Array.isArray(value) ? value : [value]
  return dumps.every(isDump) ? readMessages(dumps, 'assistant') : undefined
}

const isChatMessage = (value: unknown): boolean =>
  isObject(value) && typeof value.role === 'string' && ('content' in value || 'tool_calls' in value)

/** LangGraph's `[{ graph, update: { messages }, resume, goto }]`. */
const singleUpdate = (list: readonly unknown[]): unknown =>
  list.length === 1 && isObject(list[0]) && 'goto' in list[0] ? list[0].update : undefined

function messagesIn(list: readonly unknown[]): Message[] | undefined {
  const pairs = list.map(pairMessage)
  if (pairs.length > 0 && pairs.every((message) => message !== undefined)) return pairs
  return readMessages(list, 'user')
}

/** LangChain's short form of a message: `["user", "Hello"]`. */
function pairMessage(value: unknown): Message | undefined {
  if (!Array.isArray(value) || value.length !== 2) return undefined
  const [role, text] = value as unknown[]
  return typeof role === 'string' && typeof text === 'string'
    ? textMessage(normalizeRole(role), text)
    : undefined
}

/** A message as LangChain's `dumpd` or `message_to_dict` writes it, or one with its fields beside the type. */
const isDump = (value: unknown): value is Fields =>
  isObject(value) &&
  ((value.lc === 1 && Array.isArray(value.id) && /Message(Chunk)?$/.test(String(value.id.at(-1)))) ||
    (/^(human|ai|system|tool|function|chat)$/.test(String(value.type)) &&
      (isObject(value.data) || ('content' in value && isObject(value.additional_kwargs)))))

/** `{ args, kwargs }` of Python functions, and the envelope that LangChain's callbacks put around the arguments. */
function toolArguments(value: unknown): unknown {
  if (isConversation(value)) return onlyContent(value)
  if (!isObject(value)) return undefined
  if (isObject(value.inputs) && 'input_str' in value) return value.inputs
  const { args = [], kwargs, ...rest } = value
  if (!isObject(kwargs) || !Array.isArray(args)) return undefined
  const hasOthers = Object.keys(rest).some((key) => key !== 'sanitize_inputs_outputs')
  if (hasOthers) return undefined
  return args.length === 0 ? kwargs : Object.keys(kwargs).length === 0 ? args : undefined
}

/** Strands reports the arguments and the result of a tool as one message each. */
function onlyContent([message, ...others]: readonly Message[]): unknown {
  const [part, ...more] = message?.parts ?? []
  if (part === undefined || others.length > 0 || more.length > 0) return undefined
  return part.type === 'tool_call_response' ? part.response : 'content' in part ? part.content : undefined
}

/** The message of a LangChain tool, the result of a LlamaIndex tool. */
function toolResult(value: unknown): unknown {
  if (isConversation(value)) return onlyContent(value)
  const dump = isObject(value) && isDump(value.output) && 'kwargs' in value ? value.output : value
  if (isDump(dump)) {
    const content = field(dump.kwargs ?? dump.data ?? dump, 'content')
    if (typeof content === 'string') return content
  }
  // Google's ADK: `{ id, name, response }`.
  if (isObject(value) && Object.keys(value).sort().join() === 'id,name,response') return value.response
  return isObject(value) && 'raw_output' in value && 'raw_input' in value ? value.raw_output : undefined
}

/** CrewAI's `{ raw, pydantic, json_dict, ... }`. */
const crewResult = (value: unknown): unknown =>
  isObject(value) && typeof value.raw === 'string' && 'pydantic' in value && 'json_dict' in value
    ? (value.pydantic ?? value.json_dict ?? value.raw)
    : undefined
