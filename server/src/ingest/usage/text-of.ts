/**
 * The text of an input or an output, for token counting.
 *
 * - null has no text, and a string is the text.
 * - A message `{ role, content, ... }`, or an array of them, gives its contents, names, tool calls with their
 *   arguments and tool results, one line each. The few tokens that a provider adds to each message are unknown.
 * - Any other value gives its compact JSON.
 * - Images, audio and files never count, neither as content parts nor as data URLs.
 */
export function textOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'string') return isDataUrl(value) ? '' : value
  if (isMessage(value)) return textOfMessage(value)
  if (Array.isArray(value) && value.length > 0 && value.every(isMessage)) {
    return joinLines(value.map(textOfMessage))
  }
  return compactJson(value)
}

type Fields = Readonly<Record<string, unknown>>

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isMessage(value: unknown): value is Fields {
  return isObject(value) && typeof value.role === 'string' && messageKeys.some((key) => key in value)
}

/** Keys of the content of a message, by provider; `parts` is Gemini's. */
const messageKeys = ['content', 'parts', 'tool_calls', 'function_call', 'refusal']

function textOfMessage(message: Fields): string {
  return joinLines([
    textOfContent(message.name),
    textOfContent(message.content),
    textOfContent(message.parts),
    textOfContent(message.refusal),
    ...listOf(message.tool_calls).map(textOfCall),
    message.function_call === undefined ? '' : textOfCall(message.function_call),
  ])
}

function textOfContent(content: unknown): string {
  if (!Array.isArray(content)) return isObject(content) ? textOfPart(content) : textOf(content)
  return joinLines(content.map((part) => (isObject(part) ? textOfPart(part) : textOf(part))))
}

const media = /image|audio|video|file|document|media/i
const mediaKeys = ['inlineData', 'inline_data', 'fileData', 'file_data', 'image_url', 'source']

function textOfPart(part: Fields): string {
  if (typeof part.text === 'string') return part.text
  if (typeof part.thinking === 'string') return part.thinking
  switch (part.type) {
    // Parts of OpenTelemetry's GenAI messages.
    case 'text':
    case 'reasoning':
      if (typeof part.content === 'string') return part.content
      break
    case 'tool_call_response':
      return textOfContent(part.response ?? part.result)
    case 'blob':
    case 'uri':
      return ''
    case 'tool_call':
    case 'tool_use':
    case 'tool-call':
    case 'function_call':
      return textOfCall(part)
    case 'tool_result':
    case 'tool-result':
      return textOfContent(part.content ?? part.output ?? part.result)
  }
  if (typeof part.type === 'string' && media.test(part.type)) return ''
  if (mediaKeys.some((key) => key in part)) return ''
  const call = part.functionCall ?? part.functionResponse
  return call === undefined ? compactJson(part) : textOfCall(call)
}

/** The name and arguments of a call; some providers send the arguments as JSON text, others as JSON. */
function textOfCall(call: unknown): string {
  if (!isObject(call)) return textOf(call)
  const details = isObject(call.function) ? call.function : call
  const args = details.arguments ?? details.args ?? details.input ?? details.response
  return joinLines([textOf(details.name ?? details.toolName), typeof args === 'string' ? args : textOf(args)])
}

function compactJson(value: unknown): string {
  return JSON.stringify(value, (_key, inner) => (isDataUrl(inner) ? '' : inner)) ?? ''
}

function isDataUrl(value: unknown): boolean {
  return typeof value === 'string' && value.startsWith('data:') && value.slice(0, 256).includes(';base64,')
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

function joinLines(lines: readonly string[]): string {
  return lines.filter((line) => line !== '').join('\n')
}
