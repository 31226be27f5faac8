/** The common form of messages of all providers and frameworks, as a chat shows them. */
export type Part =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'reasoning'; readonly text: string }
  | {
      readonly type: 'toolCall'
      readonly id: string | undefined
      readonly name: string
      readonly args: unknown
    }
  | {
      readonly type: 'toolResult'
      readonly id: string | undefined
      readonly name: string | undefined
      readonly result: unknown
      readonly isError: boolean
    }
  /** A URL or a `data:` URL; the view decides whether it may be shown. */
  | { readonly type: 'image'; readonly address: string }
  | {
      readonly type: 'file'
      readonly name: string | undefined
      readonly mediaType: string | undefined
      /** A URL or a `data:` URL; absent if the message only references the file. */
      readonly address?: string
    }
  /** A value of no known form, shown as it is. */
  | { readonly type: 'other'; readonly value: unknown }

export type Role = 'system' | 'user' | 'assistant' | 'tool'

export interface Message {
  readonly role: Role
  /** An unknown role, or the speaker's name. */
  readonly name: string | undefined
  readonly parts: readonly Part[]
}
