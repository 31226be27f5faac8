/** MLflow exports: traces from `Trace.to_json()`, from the tables of `search_traces`, and from its command line. */
import { type LogParts, makeLog, makeTrace } from './found-trace.ts'
import {
  first,
  isRecord,
  numberOf,
  parsedJson,
  recordOf,
  recordsOf,
  textOf,
  unmappedFields,
  withoutUndefined,
} from './read-value.ts'
import type { FoundScore, JsonRecord, Log, Part, Source } from './shapes.ts'

const name = 'mlflow'

const types: Readonly<Record<string, Log['type']>> = {
  LLM: 'generation',
  CHAT_MODEL: 'generation',
  EMBEDDING: 'generation',
  TOOL: 'tool',
  RETRIEVER: 'retrieval',
  RERANKER: 'retrieval',
  PARSER: 'function',
}

export const mlflow: Source = {
  name,
  title: 'MLflow',
  recognises: (record) => isTrace(record),
  sort: (record) => {
    const info = recordOf(record.info) ?? record
    const id = String(first(info, 'trace_id', 'request_id'))
    return [{ type: 'part', traceId: id, kind: 'trace', record }]
  },
  assemble,
}

const spansOf = (record: JsonRecord): JsonRecord[] => recordsOf(recordOf(record.data)?.spans ?? record.spans)

const isTrace = (record: JsonRecord): boolean => {
  const info = recordOf(record.info) ?? record
  return first(info, 'trace_id', 'request_id') !== undefined && spansOf(record).some(isSpan)
}
const isSpan = (span: JsonRecord): boolean =>
  Object.keys(attributesOf(span)).some((key) => key.startsWith('mlflow.'))

/** Attribute values are JSON text. */
const attributesOf = (span: JsonRecord): JsonRecord =>
  Object.fromEntries(
    Object.entries(recordOf(span.attributes) ?? {}).map(([key, value]) => [key, parsedJson(value)]),
  )

const traceFields =
  'trace_id request_id client_request_id trace_location experiment_id request_time timestamp_ms execution_duration execution_duration_ms execution_time_ms state status request_preview response_preview trace_metadata request_metadata tags assessments info data spans request response trace'.split(
    ' ',
  )

function assemble(id: string, parts: readonly Part[]) {
  const record = parts.at(-1)?.record ?? {}
  const info = recordOf(record.info) ?? record
  const spans = spansOf(record)
  const root = spans.find((span) => parentOf(span) === undefined) ?? spans[0] ?? {}
  const attributes = attributesOf(root)
  const metadata = recordOf(first(info, 'trace_metadata', 'request_metadata')) ?? {}
  const tags = recordOf(info.tags) ?? {}
  return makeTrace(name, {
    id,
    name: textOf(tags['mlflow.traceName']) ?? textOf(root.name),
    startTime: first(info, 'request_time', 'timestamp_ms') ?? timeOf(root, 'start'),
    endTime: timeOf(root, 'end'),
    input: attributes['mlflow.spanInputs'] ?? parsedJson(record.request),
    output: attributes['mlflow.spanOutputs'] ?? parsedJson(record.response),
    userId: textOf(metadata['mlflow.trace.user']),
    sessionId: textOf(metadata['mlflow.trace.session']),
    metadata: own(tags),
    otherFields: unmappedFields({ ...info, ...own(metadata) }, traceFields),
    logs: spans.map((span) => makeLog(name, logOf(span))),
    scores: recordsOf(info.assessments).flatMap(scoreOf),
  })
}

/** The entries that MLflow did not add itself. */
const own = (fields: JsonRecord): JsonRecord =>
  Object.fromEntries(Object.entries(fields).filter(([key]) => !key.startsWith('mlflow.')))

const contextOf = (span: JsonRecord): JsonRecord => recordOf(span.context) ?? span
const parentOf = (span: JsonRecord): string | undefined => textOf(first(span, 'parent_span_id', 'parent_id'))

/** Nanoseconds, under the newer or the older name. */
const timeOf = (span: JsonRecord, which: 'start' | 'end'): number | undefined =>
  numberOf(first(span, `${which}_time_unix_nano`, `${which}_time_ns`, `${which}_time`))

const spanFields =
  'span_id trace_id parent_span_id parent_id context name start_time_unix_nano end_time_unix_nano start_time_ns end_time_ns start_time end_time status status_code status_message attributes'.split(
    ' ',
  )

function logOf(span: JsonRecord): LogParts {
  const attributes = attributesOf(span)
  const type = types[String(attributes['mlflow.spanType'])] ?? 'span'
  const status = recordOf(span.status) ?? {}
  const code = String(first(status, 'code') ?? span.status_code ?? '')
  const usage = recordOf(attributes['mlflow.chat.tokenUsage']) ?? {}
  const inputs = attributes['mlflow.spanInputs']
  return {
    id: String(contextOf(span).span_id),
    parentId: parentOf(span),
    type,
    name: textOf(span.name),
    startTime: timeOf(span, 'start'),
    endTime: timeOf(span, 'end'),
    input: inputs,
    output: attributes['mlflow.spanOutputs'],
    metadata: own(attributes),
    error: /ERROR/.test(code)
      ? (textOf(first(status, 'message') ?? span.status_message) ?? 'ERROR')
      : undefined,
    otherFields: unmappedFields(span, spanFields),
    generation:
      type === 'generation'
        ? {
            model:
              textOf(attributes['mlflow.llm.model']) ?? (isRecord(inputs) ? textOf(inputs.model) : undefined),
            provider: textOf(attributes['mlflow.llm.provider']),
            inputTokens: numberOf(usage.input_tokens),
            outputTokens: numberOf(usage.output_tokens),
            cacheReadTokens: numberOf(usage.cache_read_input_tokens),
            cost: numberOf(recordOf(attributes['mlflow.llm.cost'])?.total_cost),
          }
        : undefined,
  }
}

/** An assessment as a score; expectations are not judgements. */
function scoreOf(assessment: JsonRecord): FoundScore[] {
  const { value } = recordOf(assessment.feedback) ?? {}
  if (typeof value !== 'boolean' && typeof value !== 'number' && typeof value !== 'string') return []
  return [
    {
      name: String(first(assessment, 'assessment_name', 'name')),
      value,
      ...withoutUndefined({
        logId: textOf(assessment.span_id),
        comment: textOf(assessment.rationale),
      }),
    },
  ]
}
