/** Opik exports: files from its command line (a trace with its spans), API responses, datasets and prompts. */
import { type LogParts, makeLog, makeTrace } from './found-trace.ts'
import {
  idealOf,
  instantOf,
  listOf,
  numberOf,
  recordOf,
  recordsOf,
  slugOf,
  textOf,
  unmappedFields,
  valuesOf,
  withoutUndefined,
} from './read-value.ts'
import type { FoundScore, JsonRecord, Log, Part, SortedRecord, Source } from './shapes.ts'

const name = 'opik'

const types: Readonly<Record<string, Log['type']>> = {
  llm: 'generation',
  tool: 'tool',
  guardrail: 'function',
}

export const opik: Source = {
  name,
  title: 'Opik',
  recognises: (record) =>
    isFile(record) || isSpan(record) || isTrace(record) || isPrompt(record) || isDataset(record),
  sort(record) {
    if (isFile(record)) {
      const trace = recordOf(record.trace) ?? {}
      return [
        {
          type: 'part',
          traceId: String(trace.id),
          kind: 'trace',
          record: { project_name: record.project_name, ...trace },
        },
        ...recordsOf(record.spans).map(
          (span): SortedRecord => ({ type: 'part', traceId: String(trace.id), kind: 'span', record: span }),
        ),
      ]
    }
    if (isSpan(record)) return [{ type: 'part', traceId: String(record.trace_id), kind: 'span', record }]
    if (isPrompt(record)) return sortPrompt(record)
    if (isDataset(record)) return sortDataset(record)
    if (isTrace(record)) return [{ type: 'part', traceId: String(record.id), kind: 'trace', record }]
    return [{ type: 'ignored', what: 'record', why: 'it is no trace, span, prompt or dataset' }]
  },
  assemble,
}

const isFile = (record: JsonRecord): boolean => recordOf(record.trace)?.id !== undefined && 'spans' in record
const isSpan = (record: JsonRecord): boolean =>
  'trace_id' in record && 'start_time' in record && ('parent_span_id' in record || 'project_id' in record)
const isTrace = (record: JsonRecord): boolean =>
  'id' in record &&
  'start_time' in record &&
  ('project_id' in record || 'project_name' in record || 'thread_id' in record)
const isPrompt = (record: JsonRecord): boolean =>
  'current_version' in record && typeof record.name === 'string'
const isDataset = (record: JsonRecord): boolean =>
  Array.isArray(record.items) && (typeof record.name === 'string' || recordOf(record.dataset) !== undefined)

const mappedFields =
  'id trace_id parent_span_id type name project_id workspace_id start_time end_time input output metadata tags model provider usage total_estimated_cost error_info feedback_scores thread_id created_at last_updated_at created_by last_updated_by duration span_count llm_span_count comments_count'.split(
    ' ',
  )

function assemble(id: string, parts: readonly Part[]) {
  const trace = parts.findLast(({ kind }) => kind === 'trace')?.record ?? {}
  const spans = parts.filter(({ kind }) => kind === 'span').map(({ record }) => record)
  const root = spans.find(({ parent_span_id: parent }) => parent == null) ?? spans[0] ?? {}
  return makeTrace(name, {
    id,
    name: textOf(trace.name) ?? textOf(root.name),
    startTime: trace.start_time ?? root.start_time,
    endTime: trace.end_time ?? root.end_time,
    input: trace.input ?? root.input,
    output: trace.output ?? root.output,
    sessionId: textOf(trace.thread_id),
    tags: listOf(trace.tags),
    metadata: recordOf(trace.metadata),
    otherFields: unmappedFields({ ...trace, error: errorOf(trace) }, mappedFields),
    logs: spans.map((span) => makeLog(name, logOf(span))),
    scores: [trace, ...spans].flatMap((item) => scoresOf(item, item === trace ? undefined : String(item.id))),
    warnings:
      Object.keys(trace).length === 0 ? ['The export has spans of this trace but not the trace itself.'] : [],
  })
}

function logOf(span: JsonRecord): LogParts {
  const type = types[String(span.type)] ?? 'span'
  const usage = recordOf(span.usage) ?? {}
  return {
    id: String(span.id),
    parentId: textOf(span.parent_span_id),
    type,
    name: textOf(span.name),
    startTime: span.start_time,
    endTime: span.end_time,
    input: messagesIn(span.input),
    output: span.output,
    metadata: recordOf(span.metadata),
    error: errorOf(span),
    otherFields: unmappedFields({ ...span, span_tags: span.tags }, mappedFields),
    generation:
      type === 'generation'
        ? {
            model: textOf(span.model),
            provider: textOf(span.provider),
            inputTokens: numberOf(usage.prompt_tokens),
            outputTokens: numberOf(usage.completion_tokens),
            cacheReadTokens: numberOf(usage['original_usage.prompt_tokens_details.cached_tokens']),
            reasoningTokens: numberOf(usage['original_usage.completion_tokens_details.reasoning_tokens']),
            cost: numberOf(span.total_estimated_cost),
          }
        : undefined,
  }
}

/** If the input contains only messages, they are the input. */
function messagesIn(input: unknown): unknown {
  const fields = recordOf(input)
  return fields !== undefined && Object.keys(fields).length === 1 && Array.isArray(fields.messages)
    ? fields.messages
    : input
}

function errorOf(record: JsonRecord): string | undefined {
  const error = recordOf(record.error_info)
  if (error === undefined) return undefined
  return [textOf(error.exception_type), textOf(error.message)].filter(Boolean).join(': ') || 'error'
}

const scoresOf = (record: JsonRecord, logId: string | undefined): FoundScore[] =>
  recordsOf(record.feedback_scores).map((score) => ({
    name: String(score.name),
    value: textOf(score.category_name) ?? numberOf(score.value) ?? String(score.value),
    ...withoutUndefined({ logId, comment: textOf(score.reason), createdAt: instantOf(score.created_at) }),
  }))

/** The history is newest first, and may contain the current version again. */
function sortPrompt(record: JsonRecord): SortedRecord[] {
  const promptName = String(record.name)
  const versions = new Map(
    [recordOf(record.current_version) ?? {}, ...recordsOf(record.history)].map((each) => [
      textOf(each.commit) ?? '',
      each,
    ]),
  )
  return [...versions.values()].toReversed().map((each, index) => ({
    type: 'version',
    version: {
      slug: slugOf(promptName),
      name: promptName,
      version: textOf(each.commit) ?? `1.0.${index}`,
      text: typeof each.prompt === 'string' ? each.prompt : String(each.template ?? each.prompt ?? ''),
      tags: [],
      warnings:
        each.metadata == null ? [] : [`Version ${each.commit} has metadata, which has no place here.`],
      ...withoutUndefined({ message: textOf(each.change_description) }),
    },
  }))
}

function sortDataset(record: JsonRecord): SortedRecord[] {
  const datasetName = textOf(record.name) ?? textOf(recordOf(record.dataset)?.name) ?? 'dataset'
  return recordsOf(record.items).map(({ id, expected_output: expectedOutput, ...item }) => {
    const values =
      recordOf(item.data) ??
      unmappedFields(item, [
        'source',
        'trace_id',
        'span_id',
        'tags',
        'created_at',
        'last_updated_at',
        'created_by',
        'last_updated_by',
      ]) ??
      {}
    const { expected_output: nested, ...others } = values
    return {
      type: 'row',
      row: {
        slug: slugOf(datasetName),
        datasetName,
        values: valuesOf(others),
        metadata: withoutUndefined({ 'import.source': name, 'import.id': textOf(id) }),
        ...withoutUndefined({ idealOutput: idealOf(expectedOutput ?? nested) }),
      },
    }
  })
}
