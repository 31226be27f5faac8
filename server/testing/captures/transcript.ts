/** Shows a conversation as lines of text, for expectations that people write and read. */
import type { Message, Part } from '../../src/ingest/otlp/messages/message.ts'

/** Messages become lines such as `user: Hello` and `assistant calls search({"q":"x"})`; other values are unchanged. */
export function transcriptOf(value: unknown): unknown {
  return Array.isArray(value) && value.length > 0 && value.every(isMessage) ? value.flatMap(linesOf) : value
}

const isMessage = (value: unknown): value is Message =>
  typeof value === 'object' && value !== null && 'role' in value && Array.isArray((value as Message).parts)

const linesOf = ({ role, parts }: Message): string[] =>
  parts.length === 0 ? [`${role} is silent`] : parts.map((part) => lineOf(role, part))

function lineOf(role: string, part: Part): string {
  switch (part.type) {
    case 'text':
      return `${role}: ${String(part.content)}`
    case 'reasoning':
      return `${role} thinks: ${String(part.content)}`
    case 'tool_call':
      return `${role} calls ${String(part.name)}(${JSON.stringify(part.arguments)})`
    case 'tool_call_response':
      return `${role} returns ${typeof part.response === 'string' ? part.response : JSON.stringify(part.response)}`
    default:
      return `${role} ${JSON.stringify(part)}`
  }
}
