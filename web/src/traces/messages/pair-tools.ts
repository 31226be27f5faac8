/** Pairs tool results with their calls, wherever they occur in the conversation. Pure. */
import type { Message, Part } from './message.ts'

export type ToolCall = Extract<Part, { type: 'toolCall' }>
export type ToolResult = Extract<Part, { type: 'toolResult' }>

export interface MessageWithResults {
  readonly message: Message
  /** The results of its calls, if present. */
  readonly results: ReadonlyMap<ToolCall, ToolResult>
}

/**
 * The messages without the paired results; messages with nothing else are dropped. `later` contains results from
 * messages outside this list.
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

/** By call id; without ids, results are assigned to the preceding calls in order. */
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
