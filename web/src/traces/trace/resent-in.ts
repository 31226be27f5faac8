/** What a log of a trace sent again of a call before it. Pure. */

import type { Message } from '../messages/message.ts'
import { readMessages } from '../messages/read-messages.ts'
import { type Resent, resentFrom } from '../messages/resent.ts'
import type { ReadTrace } from './read-trace.ts'
import type { LogNode } from './trace-tree.ts'

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

const inputs = new WeakMap<LogNode, readonly Message[]>()
const conversations = new WeakMap<LogNode, readonly Message[]>()

function inputOf(node: LogNode): readonly Message[] {
  const known = inputs.get(node) ?? readMessages(node.log.input, 'input') ?? []
  inputs.set(node, known)
  return known
}

/** What was sent, and what was answered. */
function conversationOf(node: LogNode): readonly Message[] {
  const known = conversations.get(node) ?? [
    ...inputOf(node),
    ...(readMessages(node.log.output, 'output') ?? answered(node.log.output)),
  ]
  conversations.set(node, known)
  return known
}

const answered = (output: unknown): readonly Message[] =>
  typeof output === 'string' && output !== ''
    ? [{ role: 'assistant', name: undefined, parts: [{ type: 'text', text: output }] }]
    : []
