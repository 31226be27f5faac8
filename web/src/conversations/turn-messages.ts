/** The messages that a turn adds to a conversation: applications resend the history each time. Pure. */
import type { Message } from '../traces/messages/message.ts'
import { readMessages } from '../traces/messages/read-messages.ts'

/** The fields in which an application that sends an object puts the user's message. */
const textFields = [
  'question',
  'query',
  'message',
  'prompt',
  'input',
  'text',
  'content',
  'answer',
  'response',
  'output',
]

const textMessage = (role: 'user' | 'assistant', text: string): Message => ({
  role,
  name: undefined,
  parts: [{ type: 'text', text }],
})

/** The new messages of an input; undefined if it contains no messages. */
export function newInput(value: unknown): readonly Message[] | undefined {
  const messages = readMessages(value, 'input')
  if (messages === undefined) return plainMessage('user', value)
  // New messages follow the last answer; instructions come from the application.
  const last = messages.findLastIndex(({ role }) => role === 'assistant')
  const added = messages.slice(last + 1).filter(({ role }) => role !== 'system')
  return added.length > 0 ? added : messages.filter(({ role }) => role === 'user').slice(-1)
}

/** The messages of an output; undefined if it contains no messages. */
export const newOutput = (value: unknown): readonly Message[] | undefined =>
  readMessages(value, 'output') ?? plainMessage('assistant', value)

function plainMessage(role: 'user' | 'assistant', value: unknown): readonly Message[] | undefined {
  if (typeof value === 'string') return value === '' ? undefined : [textMessage(role, value)]
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  // Safe: an object that is no array has its fields by name.
  const fields = value as Readonly<Record<string, unknown>>
  const name = textFields.find((field) => typeof fields[field] === 'string' && fields[field] !== '')
  return name === undefined ? undefined : [textMessage(role, String(fields[name]))]
}
