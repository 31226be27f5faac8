/** Langfuse prompts and dataset items. */
import { modelOfConfig, readChatMessages } from '@plumbline/contract/langfuse-prompts'
import {
  first,
  idealOf,
  isRecord,
  listOf,
  parsedJson,
  recordOf,
  slugOf,
  textOf,
  valuesOf,
  withoutUndefined,
} from './read-value.ts'
import type { FoundVersion, JsonRecord, SortedRecord } from './shapes.ts'

/** Chat prompts stay messages with placeholders, and settings stay settings; only existing labels become tags. */
export function versionOf(record: JsonRecord): FoundVersion {
  const promptName = String(record.name)
  const config = recordOf(record.config) ?? {}
  const messages = Array.isArray(record.prompt) ? readChatMessages(record.prompt) : undefined
  const isUnreadable = Array.isArray(record.prompt) && messages === undefined
  return {
    slug: slugOf(promptName),
    name: promptName,
    version: String(record.version),
    text: messages !== undefined ? '' : isUnreadable ? JSON.stringify(record.prompt) : String(record.prompt),
    tags: listOf(record.labels)
      .map(String)
      .filter((label) => label !== 'latest'),
    warnings: warningsOf(record, isUnreadable),
    ...withoutUndefined({
      messages,
      config: Object.keys(config).length === 0 ? undefined : { ...config },
      model: modelOfConfig(config),
      message: textOf(record.commitMessage),
    }),
  }
}

function warningsOf({ version, prompt, tags }: JsonRecord, isUnreadable: boolean): string[] {
  const warnings: string[] = []
  if (isUnreadable)
    warnings.push(`Version ${version} has messages that are no text, so it is kept as the JSON of them.`)
  if (JSON.stringify(prompt).includes('@@@langfusePrompt:'))
    warnings.push(
      `Version ${version} refers to another prompt: import that one too, and its text stands in place when this one is served.`,
    )
  if (listOf(tags).length > 0)
    warnings.push(`The tags of the prompt (${listOf(tags).join(', ')}) are left out.`)
  return warnings
}

/** A row of a dataset, unless it is archived. */
export function sortItem(item: JsonRecord): SortedRecord[] {
  const datasetName = textOf(first(item, 'datasetName', 'dataset_name', 'datasetId')) ?? 'dataset'
  if (item.status === 'ARCHIVED') return [{ type: 'ignored', what: 'dataset item', why: 'it is archived' }]
  const input = parsedJson(item.input)
  const metadata = parsedJson(item.metadata)
  return [
    {
      type: 'row',
      row: {
        slug: slugOf(datasetName),
        datasetName,
        values: valuesOf(input),
        metadata: {
          ...(isRecord(metadata) ? metadata : metadata == null ? {} : { metadata }),
          ...withoutUndefined({
            'import.source': 'langfuse',
            'import.id': textOf(item.id),
            sourceTraceId: textOf(item.sourceTraceId),
          }),
        },
        ...withoutUndefined({
          idealOutput: idealOf(parsedJson(first(item, 'expectedOutput', 'expected_output'))),
        }),
      },
    },
  ]
}
