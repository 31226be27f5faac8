import { parsedJson } from './json.ts'
import type { Message, Part } from './message.ts'
import { readMessages } from './read-messages.ts'

/** A value of any shape as text for line diffs; a chat as roles and texts. */
export function writtenValue(value: unknown, side: 'input' | 'output' = 'output'): string {
  const parsed = parsedJson(value)
  if (parsed === null || parsed === undefined) return ''
  if (typeof parsed === 'string') return parsed
  return readMessages(parsed, side)?.map(writtenMessage).join('\n\n') ?? JSON.stringify(parsed, null, 2)
}

const writtenMessage = ({ role, name, parts }: Message): string =>
  [`${role}${name === undefined ? '' : ` (${name})`}:`, ...parts.map(writtenPart)].join('\n')

const json = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? '')

function writtenPart(part: Part): string {
  switch (part.type) {
    case 'text':
      return part.text
    case 'reasoning':
      return `(reasoning) ${part.text}`
    case 'toolCall':
      return `→ ${part.name} ${json(part.args)}`
    case 'toolResult':
      return `← ${json(part.result)}`
    case 'image':
      return `(image) ${part.address.slice(0, 200)}`
    case 'file':
      return `(file) ${part.name ?? ''}`
    case 'other':
      return json(part.value)
  }
}
