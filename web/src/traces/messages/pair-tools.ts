/** A tool's result beside its call, wherever in the conversation it came. Pure. */
import type { Message, Part } from './message.ts'

export type ToolCall = Extract<Part, { type: 'toolCall' }>
export type ToolResult = Extract<Part, { type: 'toolResult' }>

export interface Paired {
  readonly message: Message
  /** The result of each of its calls that has one. */
  readonly results: ReadonlyMap<ToolCall, ToolResult>
}

/** The messages without results that stand beside their calls now; a message of nothing else is gone. */
export function pairTools(messages: readonly Message[]): readonly Paired[] {
  const results = new Map<string, ToolResult>()
  for (const { parts } of messages) {
    for (const part of parts)
      if (part.type === 'toolResult' && part.id !== undefined) results.set(part.id, part)
  }
  const taken = new Set<Part>()
  const paired = messages.map((message): Paired => {
    const own = new Map<ToolCall, ToolResult>()
    for (const part of message.parts) {
      if (part.type !== 'toolCall' || part.id === undefined) continue
      const result = results.get(part.id)
      if (result === undefined || taken.has(result)) continue
      taken.add(result)
      own.set(part, result)
    }
    return { message, results: own }
  })
  return paired.flatMap(({ message, results: own }) => {
    const parts = message.parts.filter((part) => !taken.has(part))
    if (parts.length === 0 && message.parts.length > 0) return []
    return [
      { message: parts.length === message.parts.length ? message : { ...message, parts }, results: own },
    ]
  })
}
