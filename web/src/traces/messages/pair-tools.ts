/** A tool's result beside its call, wherever in the conversation it came. Pure. */
import type { Message, Part } from './message.ts'

export type ToolCall = Extract<Part, { type: 'toolCall' }>
export type ToolResult = Extract<Part, { type: 'toolResult' }>

export interface MessageWithResults {
  readonly message: Message
  /** The result of each of its calls that has one. */
  readonly results: ReadonlyMap<ToolCall, ToolResult>
}

/**
 * The messages without results that stand beside their calls now; a message of nothing else is gone. `later` are results
 * that came with messages that are not among these.
 */
export function pairTools(
  messages: readonly Message[],
  later: readonly ToolResult[] = [],
): readonly MessageWithResults[] {
  const pairs = pairsOf([...messages.flatMap(({ parts }) => parts), ...later])
  const pairedParts = new Set<Part>(pairs.values())
  return messages.flatMap((message) => {
    const parts = message.parts.filter((part) => !pairedParts.has(part))
    if (parts.length === 0 && message.parts.length > 0) return []
    return [
      { message: parts.length === message.parts.length ? message : { ...message, parts }, results: pairs },
    ]
  })
}

/** By the id of the call; where a maker gives none, results are taken for the calls before them, in their order. */
function pairsOf(parts: readonly Part[]): ReadonlyMap<ToolCall, ToolResult> {
  const pairs = new Map<ToolCall, ToolResult>()
  const waiting: ToolCall[] = []
  for (const part of parts) {
    if (part.type === 'toolCall') waiting.push(part)
    if (part.type !== 'toolResult') continue
    const index = waiting.findIndex((call) => fits(call, part))
    const [call] = index === -1 ? [] : waiting.splice(index, 1)
    if (call !== undefined) pairs.set(call, part)
  }
  return pairs
}

const fits = (call: ToolCall, { id, name }: ToolResult): boolean =>
  id !== undefined && call.id !== undefined ? call.id === id : name === undefined || name === call.name
