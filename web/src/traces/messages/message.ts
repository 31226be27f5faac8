/** One form for the messages of all makers of models and frameworks: what a chat shows. */
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
  /** An address, or a `data:` one; whether it may be shown is judged where it is. */
  | { readonly type: 'image'; readonly address: string }
  | {
      readonly type: 'file'
      readonly name: string | undefined
      readonly mediaType: string | undefined
      /** An address or a `data:` one; absent where the message only names the file. */
      readonly address?: string
    }
  /** A value of no known form, shown as it is. */
  | { readonly type: 'other'; readonly value: unknown }

export type Role = 'system' | 'user' | 'assistant' | 'tool'

export interface Message {
  readonly role: Role
  /** A role that is none of the known, or who speaks. */
  readonly name: string | undefined
  readonly parts: readonly Part[]
}
