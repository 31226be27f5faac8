/** Reads JSON messages, which may have any form. */

export type Json = Readonly<Record<string, unknown>>

export const isJson = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The text of a message's content, in any format. */
export function textOf(content: unknown): string {
  if (content === null || content === undefined) return ''
  if (typeof content === 'string') return content
  if (Array.isArray(content)) return content.map(textOf).join('\n')
  if (isJson(content) && typeof content.text === 'string') return content.text
  return JSON.stringify(content)
}
