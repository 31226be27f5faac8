/** The setup of the playground: templates, further messages, values and parameters; kept until the tab closes. */
import type { PromptMessage } from '@plumbline/sdk'
import { type ModelDraft, toDraft } from '../prompts/edit/model-draft.ts'
import { isComplete, type Texts } from '../prompts/edit/prompt-messages.ts'
import type { VariableTexts } from '../prompts/edit/variable-values.ts'
import { forgetInTab, keepInTab, readInTab } from '../ui/storage/tab-storage.ts'
import type { ChatMessage } from './replay.ts'

export interface Draft {
  readonly systemText: string
  readonly text: string
  /** Replaces the texts if the prompt consists of messages. */
  readonly promptMessages?: readonly PromptMessage[] | undefined
  readonly messages: readonly ChatMessage[]
  readonly model: ModelDraft
  readonly values: VariableTexts
}

export const emptyDraft: Draft = {
  systemText: '',
  text: '',
  messages: [],
  model: toDraft(undefined),
  values: {},
}

/** The templates of a draft. */
export const textsOfDraft = ({ text, systemText, promptMessages }: Draft): Texts => ({
  text,
  systemText,
  ...(promptMessages !== undefined && { messages: promptMessages }),
})

/** Whether a draft has a template. */
export const hasTemplate = (draft: Draft): boolean => isComplete(textsOfDraft(draft))

const place = (origin: string): string => `playground.${origin}`

/** The draft started from an origin in this tab. */
export function keptDraft(origin: string): Draft | undefined {
  try {
    const text = readInTab(place(origin))
    // Safe: only `keepDraft` writes there.
    return text === undefined ? undefined : { ...emptyDraft, ...(JSON.parse(text) as Draft) }
  } catch {
    return undefined
  }
}

/** An unchanged draft is not kept: the text of the origin may have changed by the next visit. */
export function keepDraft(origin: string, draft: Draft, initial: Draft): void {
  const text = JSON.stringify(draft)
  if (text === JSON.stringify(initial)) forgetInTab(place(origin))
  else keepInTab(place(origin), text)
}
