/** OpenInference attributes, in which Phoenix stores the data of spans. */
import { isRecord, parsedJson, recordOf, recordsOf, withoutUndefined } from './read-value.ts'
import type { JsonRecord } from './shapes.ts'

/** Attributes by dotted names, from dotted, nested or column form. */
export function attributesOf(record: JsonRecord): JsonRecord {
  const flat: Record<string, unknown> = {}
  const flatten = (value: unknown, path: string): void => {
    if (isRecord(value))
      for (const [key, inner] of Object.entries(value)) flatten(inner, path === '' ? key : `${path}.${key}`)
    else if (value != null) flat[path] = value
  }
  flatten(recordOf(record.attributes) ?? {}, '')
  for (const [column, value] of Object.entries(record))
    if (column.startsWith('attributes.')) flatten(value, column.slice('attributes.'.length))
  return flat
}

/** Lists have numbered attribute names; in the dataframe, they stay lists. */
function itemsOf(attributes: JsonRecord, prefix: string): JsonRecord[] {
  if (Array.isArray(attributes[prefix]))
    return recordsOf(attributes[prefix]).map((item) => attributesOf({ attributes: item }))
  const items: Record<string, unknown>[] = []
  for (const [attribute, value] of Object.entries(attributes)) {
    if (!attribute.startsWith(`${prefix}.`)) continue
    const [, index, field] = /^(\d+)\.(.+)$/.exec(attribute.slice(prefix.length + 1)) ?? []
    if (index === undefined || field === undefined) continue
    items[Number(index)] ??= {}
    items[Number(index)]![field] = value
  }
  return items.filter(isRecord)
}

/** Messages under a prefix, with their contents and tool calls. */
export function messagesOf(attributes: JsonRecord, prefix: string): unknown[] | undefined {
  const messages = itemsOf(attributes, prefix).map((message) => {
    const contents = itemsOf(message, 'message.contents').map((content) =>
      withoutUndefined({
        type: content['message_content.type'],
        text: content['message_content.text'],
        image: content['message_content.image.image.url'],
      }),
    )
    const calls = itemsOf(message, 'message.tool_calls').map((call) =>
      withoutUndefined({
        id: call['tool_call.id'],
        type: 'function',
        function: withoutUndefined({
          name: call['tool_call.function.name'],
          arguments: call['tool_call.function.arguments'],
        }),
      }),
    )
    return withoutUndefined({
      role: message['message.role'],
      content: message['message.content'] ?? (contents.length === 0 ? undefined : contents),
      tool_calls: calls.length === 0 ? undefined : calls,
      tool_call_id: message['message.tool_call_id'],
      name: message['message.name'],
    })
  })
  return messages.length === 0 ? undefined : messages
}

/** The documents that a retrieval found. */
export function documentsOf(attributes: JsonRecord): unknown[] | undefined {
  const documents = itemsOf(attributes, 'retrieval.documents').map((document) =>
    withoutUndefined({
      id: document['document.id'],
      content: document['document.content'],
      score: document['document.score'],
      metadata: parsedJson(document['document.metadata']),
    }),
  )
  return documents.length === 0 ? undefined : documents
}
