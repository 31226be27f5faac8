/**
 * Prompts as messages, filled in by the very module that the service renders with, so that both make the same text of
 * one template. An entry point of its own: who does not render does not carry the template library.
 */
import type { Prompt } from '@plumbline/contract'
import { type RenderedMessage, renderPrompt } from '@plumbline/contract/templates'
import { toJson } from './client/json.ts'

export { partsIn, replaceParts } from '@plumbline/contract/templates/prompt-parts'
export { type TemplateVariable, variablesOf } from '@plumbline/contract/templates/variables'

export type Message = RenderedMessage

/** Values by label. One that is undefined or null is as if it were not given. */
export type Variables = Readonly<Record<string, unknown>>

export type Render = (
  prompt: Pick<Prompt, 'text' | 'systemText' | 'messages'>,
  variables: Variables,
) => Message[]

/** A template that cannot be read or run; the message says why. */
export class TemplateFailed extends Error {
  override readonly name = 'TemplateFailed'
}

/**
 * The messages that a prompt makes: its own, where it is made of messages, else the system one, where it has one, and the
 * user's. Throws `TemplateFailed`.
 */
export const render: Render = (prompt, variables) => {
  // As JSON, since that is how the service gets them when it renders the same prompt.
  const values = JSON.parse(toJson(variables)) as Variables
  const rendered = renderPrompt(
    prompt,
    Object.entries(values).map(([label, value]) => ({ label, value })),
  )
  if (rendered.type === 'failed') throw new TemplateFailed(rendered.reason)
  return rendered.messages
}
