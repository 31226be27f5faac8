/** The messages of a recorded call as another version would have sent them. */
import { isDeepStrictEqual } from 'node:util'
import type { StoredLog } from '@plumbline/contract'
import { type PromptTexts, renderPrompt } from '@plumbline/contract/templates'
import { variablesOfAll } from '@plumbline/contract/templates/variables'
import { isEmptyMessage } from '../../prompts/playground/messages.ts'

export type CallMessages =
  | { readonly messages: readonly Message[] }
  /** Why there are no messages. */
  | { readonly problem: string }

type Message = Readonly<Record<string, unknown>>

/** `recorded` is the version that the call used; undefined if it was deleted or is unknown. */
export function messagesOfCall(
  log: Pick<StoredLog, 'variables' | 'input'>,
  candidate: PromptTexts,
  recordedPrompt: PromptTexts | undefined,
): CallMessages {
  const variables = log.variables ?? []
  const missing = missingVariables(log, candidate)
  if (variables.length === 0 && missing.length > 0) {
    const labels = missing.map((label) => `"${label}"`).join(', ')
    return { problem: `The call recorded no variables, and the version needs ${labels}.` }
  }
  const rendered = renderPrompt(candidate, variables)
  if (rendered.type === 'failed') return { problem: `The version cannot be rendered: ${rendered.reason}` }
  const own = withoutEmpty(rendered.messages.map((message) => ({ ...message })))
  const messages = [...own, ...appendedMessages(log, recordedPrompt)]
  return messages.length === 0 ? { problem: 'The version renders to an empty prompt.' } : { messages }
}

/** Variables of the version that the call did not record, placeholders included; they render as nothing. */
export function missingVariables(
  { variables }: Pick<StoredLog, 'variables'>,
  { text, systemText, messages }: PromptTexts,
): string[] {
  // `user.name` is a field of `user`.
  const labels = new Set(variables?.flatMap(({ label }) => [label, label.split('.', 1)[0]!]))
  const templates = messages?.flatMap(({ content }) => content ?? []) ?? [systemText, text]
  const needed = [
    ...variablesOfAll(templates).map(({ label }) => label),
    ...(messages ?? []).flatMap(({ placeholder }) => placeholder ?? []),
  ]
  return [...new Set(needed)].filter((label) => !labels.has(label))
}

/** The messages that the application sent after those of the prompt, such as the turns of a chat. */
function appendedMessages(
  { input, variables }: Pick<StoredLog, 'variables' | 'input'>,
  recordedPrompt: PromptTexts | undefined,
): readonly Message[] {
  if (!Array.isArray(input) || recordedPrompt === undefined || !input.every(isMessage)) return []
  const rendered = renderPrompt(recordedPrompt, variables ?? [])
  if (rendered.type === 'failed') return []
  const own = withoutEmpty(rendered.messages.map((message) => ({ ...message })))
  // An application may send messages that render to nothing.
  const recorded = withoutEmpty(input)
  const isPrefix =
    own.length < recorded.length &&
    own.every(
      ({ role, content }, index) =>
        recorded[index]?.role === role && isDeepStrictEqual(recorded[index]?.content, content),
    )
  return isPrefix ? recorded.slice(own.length) : []
}

const withoutEmpty = (messages: readonly Message[]): readonly Message[] =>
  messages.filter((message) => !isEmptyMessage(message))

const isMessage = (value: unknown): value is Message =>
  typeof value === 'object' && value !== null && 'role' in value && typeof value.role === 'string'
