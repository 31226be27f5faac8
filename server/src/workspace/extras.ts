import { invalid, type PromptMessage } from '@plumbline/contract'

interface StoredExtras {
  readonly messages?: string | undefined
  readonly config?: string | undefined
}

interface PromptExtras {
  readonly messages?: PromptMessage[]
  readonly config?: Record<string, unknown>
}

/** The messages and the settings of a stored version, as the interface has them: absent where it was made without. */
export const readExtras = ({ messages, config }: StoredExtras): PromptExtras => ({
  // Safe: `versions.create` checked what is stored.
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
 * The two texts that say the same as messages: a text of the user, with at most one system text before it. Other messages
 * have no such form, and empty texts are better than some of them joined.
 */
export function textsOf(messages: readonly PromptMessage[]): { text: string; systemText: string } {
  const [first, second] = messages
  if (messages.length === 1 && first?.role === 'user') return { text: first.content ?? '', systemText: '' }
  return messages.length === 2 && first?.role === 'system' && second?.role === 'user'
    ? { text: second.content ?? '', systemText: first.content ?? '' }
    : { text: '', systemText: '' }
}
