/** Converts recorded messages, in the formats of OpenAI and Anthropic, to those of the AI SDK. */
import { invalid } from '@plumbline/contract'
import type { AssistantModelMessage, ModelMessage, ToolModelMessage, UserModelMessage } from 'ai'

type Json = Readonly<Record<string, unknown>>

/** Throws `invalid_request` naming the invalid message. */
export function toModelMessages(messages: readonly Json[]): ModelMessage[] {
  // A tool result names its call by id only, and the SDK also needs the tool's name.
  const toolNames = new Map<string, string>()
  return messages.flatMap((message, index) => {
    const path = `messages[${index}]`
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
  for (const part of content as Json[]) {
    const image = imageOf(part)
    if (part.type === 'tool_result')
      results.push(resultOf(String(part.tool_use_id ?? ''), part.content, toolNames))
    else if (image !== undefined) parts.push({ type: 'image', image: checkedImage(image, path) })
    else parts.push({ type: 'text', text: textOf(part) })
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
  for (const part of Array.isArray(content) ? (content as Json[]) : [content]) {
    if (isJson(part) && part.type === 'tool_use') call(part.id, part.name, part.input ?? {})
    else if (textOf(part) !== '') parts.push({ type: 'text', text: textOf(part) })
  }
  for (const each of Array.isArray(calls) ? (calls as Json[]) : []) {
    const { name, arguments: input } = isJson(each.function) ? each.function : each
    call(each.id, name, typeof input === 'string' ? parseArguments(input) : (input ?? {}))
  }
  return { role: 'assistant', content: parts }
}

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

/** The URL of an image, which may be a data URL. */
function imageOf({ type, image_url: url, source }: Json): string | undefined {
  if (type === 'image_url') return isJson(url) ? String(url.url) : String(url)
  if (type !== 'image' || !isJson(source)) return undefined
  return source.type === 'base64'
    ? `data:${String(source.media_type)};base64,${String(source.data)}`
    : String(source.url)
}

/** We never fetch images: they are inline, or the provider fetches them. */
function checkedImage(image: string, path: string): URL | string {
  if (image.startsWith('data:')) return image
  if (URL.canParse(image) && image.startsWith('https://')) return new URL(image)
  throw invalid(`${path}.content`, 'has an image that is neither a data: URL nor at an https:// address')
}

/** The text of a message's content, in any format. */
function textOf(content: unknown): string {
  if (content === null || content === undefined) return ''
  if (typeof content === 'string') return content
  if (Array.isArray(content)) return content.map(textOf).join('\n')
  if (isJson(content) && typeof content.text === 'string') return content.text
  return JSON.stringify(content)
}

function parseArguments(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // Models do write arguments that are not JSON; the run should show the consequence.
    return { text }
  }
}

const isJson = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
