/** Prompts and dataset items of Langfuse. */
import {
  first,
  idealOf,
  isRecord,
  listOf,
  parsedJson,
  recordOf,
  recordsOf,
  slugOf,
  textOf,
  withoutUndefined,
} from './read-value.ts'
import type { FoundVersion, JsonRecord, Sorted } from './shapes.ts'

/** A chat prompt becomes a system text and a text; the service keeps no other roles. */
export function versionOf(record: JsonRecord): FoundVersion {
  const promptName = String(record.name)
  const config = recordOf(record.config) ?? {}
  const messages = recordsOf(record.prompt)
  const system = messages.filter(({ role }) => role === 'system').map(({ content }) => String(content))
  const others = messages.filter(({ role }) => role !== 'system')
  const text = Array.isArray(record.prompt)
    ? others.map(({ content, name: label }) => String(content ?? `{{ ${label} }}`)).join('\n\n')
    : String(record.prompt)
  const model = textOf(config.model)
  const warnings = [
    ...(others.length > 1
      ? [`Version ${record.version} has ${others.length} messages, which are joined to one text.`]
      : []),
    ...(Object.keys(config).some((key) => key !== 'model')
      ? [`Version ${record.version} has settings that are kept in its message only.`]
      : []),
  ]
  const message = [
    textOf(record.commitMessage),
    warnings.length > 0 && Object.keys(config).length > 0 ? `config: ${JSON.stringify(config)}` : undefined,
  ]
  return {
    slug: slugOf(promptName),
    name: promptName,
    version: String(record.version),
    text,
    tags: listOf(record.labels)
      .map(String)
      .filter((label) => label !== 'latest'),
    warnings,
    ...withoutUndefined({
      systemText: system.length === 0 ? undefined : system.join('\n\n'),
      model: model === undefined ? undefined : { model },
      message: message.filter(Boolean).join('; ') || undefined,
    }),
  }
}

/** A row of a dataset, unless it is archived. */
export function sortItem(item: JsonRecord): Sorted[] {
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
        values: isRecord(input) ? input : { input: input ?? null },
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
