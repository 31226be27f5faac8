/** A prompt as texts or as messages, and conversions between them. Pure. */
import type { PromptMessage } from '@plumbline/sdk'

/** The content of a prompt: two texts, or messages instead. */
export interface Texts {
  readonly text: string
  readonly systemText: string
  readonly messages?: readonly PromptMessage[] | undefined
}

/** The texts as messages: the system message first, if there is one. */
export const messagesOf = ({ text, systemText }: Texts): readonly PromptMessage[] => [
  ...(systemText === '' ? [] : [{ role: 'system', content: systemText }]),
  { role: 'user', content: text },
]

/** The texts equivalent to messages; undefined if two texts cannot express them. */
export function textsOf(messages: readonly PromptMessage[]): Texts | undefined {
  const [first, second, ...others] = messages
  if (first?.role === 'user' && second === undefined) return { text: first.content ?? '', systemText: '' }
  if (first?.role !== 'system' || second?.role !== 'user' || others.length > 0) return undefined
  return { text: second.content ?? '', systemText: first.content ?? '' }
}

/** The templates of a prompt, in the order the model receives them. */
export const templatesOf = ({ text, systemText, messages }: Texts): readonly string[] =>
  messages === undefined ? [systemText, text] : messages.flatMap(({ content }) => content ?? [])

/** The labels of the variables that take messages. */
export const placeholdersOf = ({ messages }: Texts): readonly string[] =>
  (messages ?? []).flatMap(({ placeholder }) => placeholder ?? [])

/** Messages as one text, for line diffs. */
export const textOfMessages = (messages: readonly PromptMessage[]): string =>
  messages
    .map(({ role, content, placeholder }) =>
      placeholder === undefined ? `[${role}]\n${content}` : `[messages of ${placeholder}]`,
    )
    .join('\n\n')

/** A rendered message as text. A message from a placeholder may be more than text, and is then shown as JSON. */
export function textOfRendered(message: { readonly role: string; readonly content?: unknown }): string {
  const { role: _, content, ...others } = message
  if (typeof content === 'string' && (content !== '' || Object.keys(others).length === 0)) return content
  const rest = { ...(content != null && content !== '' && { content }), ...others }
  return Object.keys(rest).length === 0 ? '' : JSON.stringify(rest, null, 2)
}

/** Whether there is anything to save, and every placeholder has a name. */
export const isComplete = (texts: Texts): boolean =>
  templatesOf(texts).some((template) => template !== '') &&
  placeholdersOf(texts).every((label) => label.trim() !== '')
