/** Relations between the calls of a trace: resent messages, and later tool results. Pure. */

import type { Message } from '../messages/message.ts'
import type { ToolResult } from '../messages/pair-tools.ts'
import { readMessages } from '../messages/read-messages.ts'
import { type Resent, resentFrom } from '../messages/resent.ts'
import type { ReadTrace } from './read-trace.ts'
import type { LogNode } from './tree/trace-tree.ts'

/** No conversation resends a call further back than this. */
const callsMax = 100

export function resentIn({ nodes }: ReadTrace, node: LogNode): Resent<LogNode> | undefined {
  if (node.log.type !== 'generation') return undefined
  const messages = inputOf(node)
  if (messages.length < 2) return undefined
  const before = nodes
    .slice(0, node.index)
    .filter(({ log }) => log.type === 'generation')
    .slice(-callsMax)
    .toReversed()
  return resentFrom(
    messages,
    before.map((call) => ({ call, messages: conversationOf(call) })),
  )
}

/** The results of a log's tool calls, as sent by a later call. */
export function resultsAfter({ nodes }: ReadTrace, node: LogNode): readonly ToolResult[] {
  const callIds = new Set(
    (readMessages(node.log.output, 'output') ?? []).flatMap(({ parts }) =>
      parts.flatMap((part) => (part.type === 'toolCall' && part.id !== undefined ? [part.id] : [])),
    ),
  )
  if (callIds.size === 0) return []
  const results = new Map<string, ToolResult>()
  const later = nodes.slice(node.index + 1).filter(({ log }) => log.type === 'generation')
  for (const { parts } of later.slice(0, callsMax).flatMap(inputOf)) {
    for (const part of parts) {
      if (part.type === 'toolResult' && part.id !== undefined && callIds.has(part.id))
        results.set(part.id, part)
    }
  }
  return [...results.values()]
}

const inputs = new WeakMap<LogNode, readonly Message[]>()
const conversations = new WeakMap<LogNode, readonly Message[]>()

function inputOf(node: LogNode): readonly Message[] {
  const history = inputs.get(node) ?? readMessages(node.log.input, 'input') ?? []
  inputs.set(node, history)
  return history
}

/** The input and the output. */
function conversationOf(node: LogNode): readonly Message[] {
  const history = conversations.get(node) ?? [
    ...inputOf(node),
    ...(readMessages(node.log.output, 'output') ?? answersIn(node.log.output)),
  ]
  conversations.set(node, history)
  return history
}

const answersIn = (output: unknown): readonly Message[] =>
  typeof output === 'string' && output !== ''
    ? [{ role: 'assistant', name: undefined, parts: [{ type: 'text', text: output }] }]
    : []
