/** The common form of messages from all conventions: that of OpenTelemetry's GenAI conventions. */
export type Part =
  | { readonly type: 'text'; readonly content: string }
  | { readonly type: 'reasoning'; readonly content: string }
  | { readonly type: 'tool_call'; readonly id?: string; readonly name: string; readonly arguments?: unknown }
  | {
      readonly type: 'tool_call_response'
      readonly id?: string
      readonly name?: string
      readonly response: unknown
    }
  | {
      readonly type: 'blob'
      readonly modality: string
      readonly mime_type?: string
      /** Base64. */
      readonly content: string
    }
  | {
      readonly type: 'file'
      readonly modality: string
      readonly mime_type?: string
      readonly file_id: string
    }
  | { readonly type: 'uri'; readonly modality: string; readonly mime_type?: string; readonly uri: string }
  | OtherPart

/** A part of an unknown type, stored unchanged. */
export interface OtherPart {
  readonly type: string
  readonly [key: string]: unknown
}

export interface Message {
  readonly role: string
  readonly name?: string
  readonly parts: readonly Part[]
  readonly finish_reason?: string
}

/** A message with one text. */
export const textMessage = (role: string, content: string): Message => ({
  role,
  parts: [{ type: 'text', content }],
})

/** Puts instructions before the messages, unless a system message already contains them. */
export function withInstructions(instructions: readonly Part[], messages: readonly Message[]): Message[] {
  const knownTexts = new Set(
    messages
      .filter(({ role }) => role === 'system' || role === 'developer')
      .flatMap(({ parts }) => parts.map((part) => JSON.stringify(part))),
  )
  const unsaid = instructions.filter((part) => !knownTexts.has(JSON.stringify(part)))
  return unsaid.length === 0 ? [...messages] : [{ role: 'system', parts: unsaid }, ...messages]
}

/** Whether a value consists of messages in this form. */
export const isConversation = (value: unknown): value is Message[] =>
  Array.isArray(value) &&
  value.length > 0 &&
  value.every(
    (each) =>
      typeof each === 'object' && each !== null && typeof each.role === 'string' && Array.isArray(each.parts),
  )

/**
 * Whether a value consists of plain text messages, which reading would not change. Messages of tools are excluded, since
 * their text may be JSON, and so are empty texts, which may be left out.
 */
export const isPlainConversation = (value: unknown): boolean =>
  Array.isArray(value) && value.length > 0 && value.every(isPlainMessage)

const plainRoles: ReadonlySet<unknown> = new Set(['system', 'user', 'assistant'])

const isPlainMessage = (message: unknown): boolean =>
  hasJust(message, 'role', 'parts') &&
  plainRoles.has(message.role) &&
  Array.isArray(message.parts) &&
  message.parts.every(isPlainText)

const isPlainText = (part: unknown): boolean =>
  hasJust(part, 'type', 'content') &&
  part.type === 'text' &&
  typeof part.content === 'string' &&
  part.content !== ''

/** Whether a value is an object with exactly these two fields in this order. */
function hasJust<First extends string, Second extends string>(
  value: unknown,
  first: First,
  second: Second,
): value is Readonly<Record<First | Second, unknown>> {
  if (typeof value !== 'object' || value === null) return false
  const [firstKey, secondKey, ...others] = Object.keys(value)
  return firstKey === first && secondKey === second && others.length === 0
}

/** Role names of providers and frameworks. */
const roles: Readonly<Record<string, string>> = {
  model: 'assistant',
  ai: 'assistant',
  AIMessageChunk: 'assistant',
  AIMessage: 'assistant',
  bot: 'assistant',
  human: 'user',
  HumanMessage: 'user',
  SystemMessage: 'system',
  ToolMessage: 'tool',
  FunctionMessage: 'tool',
  function: 'tool',
  'tool-response': 'tool',
  'tool-call': 'assistant',
}

/** The role under its name in the GenAI conventions; unknown roles are unchanged. */
export const normalizeRole = (role: string): string => (Object.hasOwn(roles, role) ? roles[role]! : role)

const knownRoles = new Set(['system', 'developer', 'user', 'assistant', 'tool'])

/** Whether a value is a known role of a message, not one of the application's own. */
export const isRole = (value: unknown): boolean =>
  typeof value === 'string' && knownRoles.has(normalizeRole(value))
