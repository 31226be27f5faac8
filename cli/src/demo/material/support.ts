/** Conversations of merchants with the support chat, written by hand; `{slots}` are filled for each session. */
import supportData from '../../../../fixtures/demo/support.json' with { type: 'json' }
import englishData from '../../../../fixtures/demo/support-english.json' with { type: 'json' }
import otherData from '../../../../fixtures/demo/support-other-languages.json' with { type: 'json' }
import type { Language } from './organizations.ts'

export interface SupportTurn {
  /** Different wordings of the same message. */
  readonly user: readonly string[]
  readonly answer: string
  readonly tool?: { readonly name: string; readonly input: Record<string, unknown>; readonly output: unknown }
  /** The answer hands over to a person. */
  readonly isHandOver?: boolean
}

export interface SupportConversation {
  readonly language: Language
  readonly topic: string
  readonly isUrgent?: boolean
  readonly turns: readonly SupportTurn[]
}

// Safe: a test checks the languages.
export const conversations = [...englishData, ...otherData] as readonly SupportConversation[]

/** Values of the slots, and the comments of merchants beside their thumbs. */
export const { products, carriers, cities, comments } = supportData
