/** What a call of a conversation sent again: the beginning that it shares with a call before. Pure. */
import type { Message } from './message.ts'

/** How many messages at the beginning of two lists are the same. */
function sharedBeginning(a: readonly Message[], b: readonly Message[]): number {
  const most = Math.min(a.length, b.length)
  for (let index = 0; index < most; index += 1) {
    if (messageKey(a[index] as Message) !== messageKey(b[index] as Message)) return index
  }
  return most
}

const texts = new WeakMap<Message, string>()

/** A message as text, to compare it: kept, for each is compared with those of many calls. */
function messageKey(message: Message): string {
  const cached = texts.get(message)
  if (cached !== undefined) return cached
  // Ids of calls are not always sent back, and reasoning never.
  const parts = message.parts.filter(({ type }) => type !== 'reasoning')
  const text = JSON.stringify([message.role, parts])
  texts.set(message, text)
  return text
}

export interface Resent<Call> {
  readonly call: Call
  /** So many messages, from the first on. */
  readonly count: number
}

/** Fewer are shown as they are: folding them would hide more than it spares. */
const countMin = 2

/**
 * The call before that shares the longest beginning with these messages, counting what it was answered; the latest of
 * those that share as much. Calls come latest first.
 */
export function resentFrom<Call>(
  messages: readonly Message[],
  previousCalls: readonly { readonly call: Call; readonly messages: readonly Message[] }[],
): Resent<Call> | undefined {
  let best: Resent<Call> | undefined
  for (const { call, messages: callMessages } of previousCalls) {
    // The last message stays in sight: a call is read from it on.
    const count = Math.min(sharedBeginning(messages, callMessages), messages.length - 1)
    if (count >= countMin && count > (best?.count ?? 0)) best = { call, count }
    if (best?.count === messages.length - 1) break
  }
  return best
}
