/** The resent messages of a call: the prefix that it shares with an earlier call. Pure. */
import type { Message } from './message.ts'

/** The length of the common prefix of two message lists. */
function sharedBeginning(a: readonly Message[], b: readonly Message[]): number {
  const most = Math.min(a.length, b.length)
  for (let index = 0; index < most; index += 1) {
    if (messageKey(a[index] as Message) !== messageKey(b[index] as Message)) return index
  }
  return most
}

const texts = new WeakMap<Message, string>()

/** A message as text for comparison; cached, because it is compared with those of many calls. */
function messageKey(message: Message): string {
  const cached = texts.get(message)
  if (cached !== undefined) return cached
  // Call ids are not always resent, and reasoning never.
  const parts = message.parts.filter(({ type }) => type !== 'reasoning')
  const text = JSON.stringify([message.role, parts])
  texts.set(message, text)
  return text
}

export interface Resent<Call> {
  readonly call: Call
  /** The number of leading messages. */
  readonly count: number
}

/** Fewer messages are not collapsed: it would not save enough space. */
const countMin = 2

/**
 * The earlier call with the longest common prefix, including its answer; the latest one in case of a tie. Calls are
 * ordered latest first.
 */
export function resentFrom<Call>(
  messages: readonly Message[],
  previousCalls: readonly { readonly call: Call; readonly messages: readonly Message[] }[],
): Resent<Call> | undefined {
  let best: Resent<Call> | undefined
  for (const { call, messages: callMessages } of previousCalls) {
    // The last message stays visible: it is where a reader starts.
    const count = Math.min(sharedBeginning(messages, callMessages), messages.length - 1)
    if (count >= countMin && count > (best?.count ?? 0)) best = { call, count }
    if (best?.count === messages.length - 1) break
  }
  return best
}
