/**
 * Phoenix exports: spans from its API, or lines of its dataframe, whose columns have dotted names. Their attributes follow
 * OpenInference.
 */
import { type LogParts, makeLog, makeTrace } from './found-trace.ts'
import { attributesOf, documentsOf, messagesOf } from './open-inference.ts'
import {
  first,
  idealOf,
  instantOf,
  numberOf,
  parsedJson,
  recordOf,
  recordsOf,
  slugOf,
  textOf,
  unmappedFields,
  valuesOf,
  withoutUndefined,
} from './read-value.ts'
import type { FoundScore, JsonRecord, Log, Part, SortedRecord, Source } from './shapes.ts'

const name = 'phoenix'

const types: Readonly<Record<string, Log['type']>> = {
  LLM: 'generation',
  EMBEDDING: 'generation',
  TOOL: 'tool',
  RETRIEVER: 'retrieval',
  RERANKER: 'retrieval',
  GUARDRAIL: 'function',
  EVALUATOR: 'function',
}

export const phoenix: Source = {
  name,
  title: 'Phoenix',
  recognises: (record) => spanIds(record) !== undefined || isAnnotation(record) || isDataset(record),
  sort(record) {
    const ids = spanIds(record)
    if (ids !== undefined) return [{ type: 'part', kind: 'span', record, ...ids }]
    if (isAnnotation(record)) return sortAnnotation(record)
    if (isDataset(record)) return sortDataset(record)
    return [{ type: 'ignored', what: 'record', why: 'it is no span, annotation or dataset' }]
  },
  assemble,
}

/** Annotations in the dataframe and the API name their span, but not their trace. */
function sortAnnotation(record: JsonRecord): SortedRecord[] {
  const [traceId, spanId] = [textOf(record.trace_id), textOf(record.span_id)]
  const kind = 'annotation'
  if (traceId !== undefined) return [{ type: 'part', traceId, kind, record }]
  if (spanId !== undefined) return [{ type: 'loosePart', spanId, kind, record }]
  return [{ type: 'ignored', what: kind, why: 'it names neither a span nor a trace' }]
}

/** In spans from the API, the ids are in `context`; in the dataframe, they are columns. */
function spanIds(record: JsonRecord): { traceId: string; spanId: string } | undefined {
  const context = recordOf(record.context) ?? {}
  const traceId = textOf(context.trace_id) ?? textOf(record['context.trace_id'])
  const spanId = textOf(context.span_id) ?? textOf(record['context.span_id'])
  return traceId === undefined || spanId === undefined ? undefined : { traceId, spanId }
}
const isAnnotation = (record: JsonRecord): boolean =>
  ('annotator_kind' in record || 'annotation_name' in record) && ('span_id' in record || 'trace_id' in record)
const isDataset = (record: JsonRecord): boolean =>
  Array.isArray((recordOf(record.data) ?? record).examples) &&
  'dataset_id' in (recordOf(record.data) ?? record)

function assemble(id: string, parts: readonly Part[]) {
  const spans = parts.filter(({ kind }) => kind === 'span').map(({ record }) => record)
  const spanIdSet = new Set(spans.map((span) => spanIds(span)?.spanId))
  const root = spans.find((span) => !spanIdSet.has(textOf(span.parent_id))) ?? {}
  const attributes = attributesOf(root)
  const annotations = [
    ...parts.filter(({ kind }) => kind === 'annotation').map(({ record }) => record),
    ...spans.flatMap((span) =>
      recordsOf(span.annotations).map((annotation) => ({ span_id: spanIds(span)?.spanId, ...annotation })),
    ),
  ]
  return makeTrace(name, {
    id,
    name: textOf(root.name),
    startTime: root.start_time,
    endTime: root.end_time,
    input: sideOf(attributes, 'input'),
    output: sideOf(attributes, 'output'),
    userId: firstOf(spans, 'user.id'),
    sessionId: firstOf(spans, 'session.id'),
    metadata: metadataOf(attributes),
    logs: spans.map((span) => makeLog(name, logOf(span))),
    scores: annotations.map(scoreOf),
  })
}

/** The text of an object, or an object whose fields were flattened into columns. */
const metadataOf = (attributes: JsonRecord): JsonRecord => ({
  ...recordOf(attributes.metadata),
  ...Object.fromEntries(
    Object.entries(attributes).flatMap(([attribute, value]) =>
      attribute.startsWith('metadata.') ? [[attribute.slice('metadata.'.length), value]] : [],
    ),
  ),
})

const firstOf = (spans: readonly JsonRecord[], attribute: string): string | undefined =>
  spans.map((span) => textOf(attributesOf(span)[attribute])).find((value) => value !== undefined)

const sideOf = (attributes: JsonRecord, side: 'input' | 'output'): unknown =>
  attributes[`${side}.mime_type`] === 'application/json'
    ? parsedJson(attributes[`${side}.value`])
    : attributes[`${side}.value`]

function logOf(span: JsonRecord): LogParts {
  const attributes = attributesOf(span)
  const kind = textOf(span.span_kind) ?? textOf(attributes['openinference.span.kind']) ?? ''
  const type = types[kind.toUpperCase()] ?? 'span'
  const isFailed = span.status_code === 'ERROR'
  const events = recordsOf(span.events)
  return {
    id: spanIds(span)!.spanId,
    parentId: textOf(span.parent_id),
    type,
    name: textOf(span.name),
    startTime: span.start_time,
    endTime: span.end_time,
    input: messagesOf(attributes, 'llm.input_messages') ?? sideOf(attributes, 'input'),
    output:
      single(messagesOf(attributes, 'llm.output_messages')) ??
      sideOf(attributes, 'output') ??
      documentsOf(attributes),
    metadata: metadataOf(attributes),
    error: isFailed ? (textOf(span.status_message) ?? 'ERROR') : undefined,
    otherFields: unmappedFields(
      {
        ...unmappedAttributes(attributes),
        kind: types[kind] === 'generation' && kind === 'LLM' ? undefined : kind,
        events: events.length === 0 ? undefined : events,
      },
      [],
    ),
    generation:
      type === 'generation'
        ? {
            model: modelOf(attributes),
            provider: textOf(first(attributes, 'llm.provider', 'llm.system')),
            inputTokens: numberOf(attributes['llm.token_count.prompt']),
            outputTokens: numberOf(attributes['llm.token_count.completion']),
            cacheReadTokens: numberOf(attributes['llm.token_count.prompt_details.cache_read']),
            reasoningTokens: numberOf(attributes['llm.token_count.completion_details.reasoning']),
            cost: numberOf(attributes['llm.cost.total']),
          }
        : undefined,
  }
}

/** A failed call has no model in its response, only in its parameters. */
const modelOf = (attributes: JsonRecord): string | undefined =>
  textOf(
    first(attributes, 'llm.model_name', 'embedding.model_name', 'llm.invocation_parameters.model') ??
      recordOf(attributes['llm.invocation_parameters'])?.model,
  )

const mappedAttributes =
  /^(?:input\.|output\.|llm\.(?:input_messages|output_messages|model_name|provider$|token_count\.)|metadata$|metadata\.|session\.id$|user\.id$|openinference\.span\.kind$|retrieval\.documents)/

const unmappedAttributes = (attributes: JsonRecord): JsonRecord =>
  Object.fromEntries(Object.entries(attributes).filter(([attribute]) => !mappedAttributes.test(attribute)))

/** A single message is not wrapped in a list. */
const single = (messages: unknown[] | undefined): unknown => (messages?.length === 1 ? messages[0] : messages)

function scoreOf(annotation: JsonRecord): FoundScore {
  // The dataframe has one column for each field of the result.
  const { 'result.score': score, 'result.label': label, 'result.explanation': explanation } = annotation
  const columns = 'result.score' in annotation ? { score, label, explanation } : undefined
  const result = recordOf(annotation.result) ?? columns ?? annotation
  return {
    name: String(first(annotation, 'name', 'annotation_name') ?? 'annotation'),
    value: numberOf(result.score) ?? textOf(result.label) ?? '',
    ...withoutUndefined({
      logId: textOf(annotation.span_id),
      comment:
        [numberOf(result.score) === undefined ? undefined : textOf(result.label), textOf(result.explanation)]
          .filter(Boolean)
          .join(': ') || undefined,
      createdAt: instantOf(annotation.created_at),
    }),
  }
}

function sortDataset(record: JsonRecord): SortedRecord[] {
  const data = recordOf(record.data) ?? record
  const datasetName = textOf(first(data, 'dataset_name', 'name', 'dataset_id')) ?? 'dataset'
  return recordsOf(data.examples).map((example) => {
    const output = recordOf(example.output)
    const values = Object.values(output ?? {})
    return {
      type: 'row',
      row: {
        slug: slugOf(datasetName),
        datasetName,
        values: valuesOf(recordOf(example.input)),
        metadata: {
          ...recordOf(example.metadata),
          ...withoutUndefined({ 'import.source': name, 'import.id': textOf(example.id) }),
        },
        ...withoutUndefined({
          idealOutput: idealOf(values.length === 1 ? values[0] : values.length === 0 ? undefined : output),
        }),
      },
    }
  })
}
