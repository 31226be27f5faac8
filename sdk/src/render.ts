/**
 * Renders prompts to messages with the same module as the service, so that the same template gives the same text in both.
 * An entry point of its own, so that applications that do not render do not bundle the template library.
 */
import type { Prompt } from '@plumbline/contract'
import { type RenderedMessage, renderPrompt } from '@plumbline/contract/templates'
import { toJson } from './client/json.ts'

export { partsIn, replaceParts } from '@plumbline/contract/templates/prompt-parts'
export { type TemplateVariable, variablesOf } from '@plumbline/contract/templates/variables'

export type Message = RenderedMessage

/** Values by label. Undefined and null count as absent. */
export type Variables = Readonly<Record<string, unknown>>

export type Render = (
  prompt: Pick<Prompt, 'text' | 'systemText' | 'messages'>,
  variables: Variables,
) => Message[]

/** A template that cannot be parsed or rendered; the message has the reason. */
export class TemplateFailed extends Error {
  override readonly name = 'TemplateFailed'
}

/**
 * The messages of a prompt: its own if it was created from messages, otherwise the system message, if any, and the user
 * message. Throws `TemplateFailed`.
 */
export const render: Render = (prompt, variables) => {
  // Converted to JSON, since the service receives them as JSON when it renders the same prompt.
  const values = JSON.parse(toJson(variables)) as Variables
  const rendered = renderPrompt(
    prompt,
    Object.entries(values).map(([label, value]) => ({ label, value })),
  )
  if (rendered.type === 'failed') throw new TemplateFailed(rendered.reason)
  return rendered.messages
}
