/** Converts recorded messages, in the formats of OpenAI and Anthropic, to those of the AI SDK. */
import { invalid } from '@plumbline/contract'
import type { AssistantModelMessage, ModelMessage, ToolModelMessage, UserModelMessage } from 'ai'
import { attachmentOf } from './attachments.ts'
import { isJson, type Json, textOf } from './json-message.ts'

/** Whether a message is empty, so that providers would refuse it. Tool calls and tool results count as content. */
export const isEmptyMessage = ({ role, content, tool_calls: calls }: Json): boolean =>
  content === '' && role !== 'tool' && !(Array.isArray(calls) && calls.length > 0)

/** Throws `invalid_request` naming the invalid message. */
export function toModelMessages(
  messages: readonly Json[],
  pathOf = (index: number): string => `messages[${index}]`,
): ModelMessage[] {
  // A tool result names its call by id only, and the SDK also needs the tool's name.
  const toolNames = new Map<string, string>()
  return messages.flatMap((message, index) => {
    const path = pathOf(index)
    const { role, content } = message
    switch (role) {
      case 'system':
      case 'developer':
        return [{ role: 'system', content: textOf(content) } satisfies ModelMessage]
      case 'user':
        return fromUser(content, toolNames, path)
      case 'assistant':
        return [fromAssistant(message, toolNames)]
      case 'tool':
        return [resultOf(String(message.tool_call_id ?? ''), content, toolNames)]
      default:
        throw invalid(`${path}.role`, 'must be one of system, developer, user, assistant, tool')
    }
  })
}

function fromUser(content: unknown, toolNames: Map<string, string>, path: string): ModelMessage[] {
  if (!Array.isArray(content)) return [{ role: 'user', content: textOf(content) }]
  const results: ToolModelMessage[] = []
  const parts: Exclude<UserModelMessage['content'], string> = []
  for (const part of content.filter((each) => textOf(each) !== '')) {
    if (isJson(part) && part.type === 'tool_result')
      results.push(resultOf(String(part.tool_use_id ?? ''), part.content, toolNames))
    else parts.push((isJson(part) && attachmentOf(part, path)) || { type: 'text', text: textOf(part) })
  }
  return [...results, ...(parts.length > 0 ? [{ role: 'user', content: parts } satisfies ModelMessage] : [])]
}

function fromAssistant({ content, tool_calls: calls }: Json, toolNames: Map<string, string>): ModelMessage {
  const parts: Exclude<AssistantModelMessage['content'], string> = []
  const call = (id: unknown, name: unknown, input: unknown): void => {
    const [toolCallId, toolName] = [String(id ?? ''), String(name ?? '')]
    toolNames.set(toolCallId, toolName)
    parts.push({ type: 'tool-call', toolCallId, toolName, input })
  }
  for (const part of Array.isArray(content) ? content : [content]) {
    if (isJson(part) && part.type === 'tool_use') call(part.id, part.name, part.input ?? {})
    // Providers accept only their own reasoning, with its signature.
    else if (isJson(part) && reasoningTypes.has(part.type)) continue
    else if (textOf(part) !== '') parts.push({ type: 'text', text: textOf(part) })
  }
  for (const each of Array.isArray(calls) ? calls.filter(isJson) : []) {
    const { name, arguments: input } = isJson(each.function) ? each.function : each
    call(each.id, name, typeof input === 'string' ? parseArguments(input) : (input ?? {}))
  }
  return { role: 'assistant', content: parts }
}

const reasoningTypes: ReadonlySet<unknown> = new Set(['thinking', 'redacted_thinking', 'reasoning'])

const resultOf = (
  id: string,
  content: unknown,
  toolNames: ReadonlyMap<string, string>,
): ToolModelMessage => ({
  role: 'tool',
  content: [
    {
      type: 'tool-result',
      toolCallId: id,
      toolName: toolNames.get(id) ?? 'tool',
      output: { type: 'text', value: textOf(content) },
    },
  ],
})

function parseArguments(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // Models do write arguments that are not JSON; the run should show the consequence.
    return { text }
  }
}
