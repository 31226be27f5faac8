import { invalid, type PromptMessage } from '@plumbline/contract'

interface StoredExtras {
  readonly messages?: string | undefined
  readonly config?: string | undefined
}

interface PromptExtras {
  readonly messages?: PromptMessage[]
  readonly config?: Record<string, unknown>
}

/** The messages and settings of a stored version as the interface returns them; absent if it was created without. */
export const readExtras = ({ messages, config }: StoredExtras): PromptExtras => ({
  // Safe: `versions.create` checked the stored text.
  ...(messages === undefined ? {} : { messages: JSON.parse(messages) as PromptMessage[] }),
  ...(config === undefined ? {} : { config: JSON.parse(config) as Record<string, unknown> }),
})

/** The messages without unknown fields; throws `invalid_request` for one that is neither a message nor a placeholder. */
export function checkMessages(messages: readonly PromptMessage[], path = 'messages'): PromptMessage[] {
  return messages.map(({ role, content, placeholder }, index) => {
    if (placeholder !== undefined && role === undefined && content === undefined) return { placeholder }
    if (placeholder === undefined && role !== undefined && content !== undefined) return { role, content }
    throw invalid(`${path}[${index}]`, 'must have `role` and `content`, or `placeholder` alone')
  })
}

/**
 * The two-text form of messages: a user text, preceded by at most one system text. Other messages have no such form, and
 * empty texts are better than an arbitrary join.
 */
export function textsOf(messages: readonly PromptMessage[]): { text: string; systemText: string } {
  const [first, second] = messages
  if (messages.length === 1 && first?.role === 'user') return { text: first.content ?? '', systemText: '' }
  return messages.length === 2 && first?.role === 'system' && second?.role === 'user'
    ? { text: second.content ?? '', systemText: first.content ?? '' }
    : { text: '', systemText: '' }
}
