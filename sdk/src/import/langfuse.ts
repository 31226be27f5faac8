/**
 * Langfuse exports: responses of its API, and files from its web app and its blob storage integration. API responses use
 * camel case, the blob storage integration the column names of the database.
 */
import { type LogParts, makeLog, makeTrace } from './found-trace.ts'
import {
  isBatch,
  isEvent,
  mergeRecords,
  observationEvent,
  sortBatch,
  sortEvent,
  traceEvent,
} from './langfuse-events.ts'
import { sortItem, versionOf } from './langfuse-prompts.ts'
import {
  first,
  instantOf,
  isRecord,
  listOf,
  numberOf,
  parsedJson,
  recordOf,
  recordsOf,
  slugOf,
  textOf,
  unmappedFields,
  withoutUndefined,
} from './read-value.ts'
import type { FoundScore, JsonRecord, Log, Part, SortedRecord, Source } from './shapes.ts'

const name = 'langfuse'

const types: Readonly<Record<string, Log['type']>> = {
  GENERATION: 'generation',
  EMBEDDING: 'generation',
  EVENT: 'event',
  TOOL: 'tool',
  RETRIEVER: 'retrieval',
  EVALUATOR: 'function',
  GUARDRAIL: 'function',
}

export const langfuse: Source = {
  name,
  title: 'Langfuse',
  recognises: (record) =>
    isDownload(record) ||
    isBatch(record) ||
    isEvent(record) ||
    isObservation(record) ||
    isScore(record) ||
    isTrace(record) ||
    isPrompt(record) ||
    isItem(record),
  sort(record) {
    if (isDownload(record)) return sortDownload(record)
    if (isBatch(record)) return sortBatch(record)
    if (isEvent(record)) return sortEvent(record)
    if (isObservation(record))
      return [part(first(record, 'traceId', 'trace_id') ?? record.id, 'observation', record)]
    if (isScore(record)) {
      const traceId = textOf(first(record, 'traceId', 'trace_id'))
      return traceId === undefined
        ? [{ type: 'ignored', what: 'score', why: 'it judges no trace' }]
        : [part(traceId, 'score', record)]
    }
    if (isTrace(record)) return sortTrace(record)
    if (isPrompt(record)) return [{ type: 'version', version: versionOf(record) }]
    if (isItem(record)) return sortItem(record)
    // A dataset with its items.
    if (Array.isArray(record.items))
      return recordsOf(record.items).flatMap((item) => sortItem({ datasetName: record.name, ...item }))
    return [
      { type: 'ignored', what: 'record', why: 'it is no trace, observation, score, prompt or dataset item' },
    ]
  },
  assemble,
}

const part = (traceId: unknown, kind: string, record: JsonRecord): SortedRecord => ({
  type: 'part',
  traceId: String(traceId),
  kind,
  record,
})

/** The file from the button that downloads a trace. */
const isDownload = ({ trace, observations }: JsonRecord): boolean =>
  isRecord(trace) && Array.isArray(observations)
const isObservation = (record: JsonRecord): boolean =>
  typeof record.type === 'string' &&
  ('startTime' in record || 'start_time' in record) &&
  ('traceId' in record ||
    'trace_id' in record ||
    'parentObservationId' in record ||
    'parent_observation_id' in record) &&
  observationType.test(record.type)
const observationType = /^(?:SPAN|GENERATION|EVENT|AGENT|TOOL|CHAIN|RETRIEVER|EVALUATOR|EMBEDDING|GUARDRAIL)$/
const isScore = (record: JsonRecord): boolean =>
  'name' in record &&
  ('dataType' in record || 'data_type' in record) &&
  ('value' in record || 'stringValue' in record || 'string_value' in record)
const isTrace = (record: JsonRecord): boolean =>
  'timestamp' in record && ('sessionId' in record || 'session_id' in record || 'htmlPath' in record)
const isPrompt = (record: JsonRecord): boolean =>
  'prompt' in record && typeof record.name === 'string' && 'version' in record && 'labels' in record
const isItem = (record: JsonRecord): boolean =>
  ('expectedOutput' in record || 'expected_output' in record) &&
  ('datasetName' in record || 'datasetId' in record || 'dataset_name' in record)

function sortDownload({ trace, observations, ...rest }: JsonRecord): SortedRecord[] {
  const record = recordOf(trace) ?? {}
  return sortTrace({ ...record, observations, scores: record.scores ?? rest.scores })
}

/** A trace that was fetched by id contains its observations and scores; in lists, traces have only their ids. */
function sortTrace(record: JsonRecord): SortedRecord[] {
  const { observations, scores, ...trace } = record
  return [
    part(record.id, 'trace', trace),
    ...recordsOf(observations).map((each) => part(record.id, 'observation', each)),
    ...recordsOf(scores).map((each) => part(record.id, 'score', each)),
  ]
}

const mappedTraceFields =
  'id name timestamp input output sessionId session_id userId user_id metadata environment release tags htmlPath projectId project_id createdAt updatedAt created_at updated_at latency totalCost'.split(
    ' ',
  )
const mappedLogFields =
  'id traceId trace_id traceName trace_name providedModelName type name startTime start_time endTime end_time completionStartTime completion_start_time input output metadata model provided_model_name parentObservationId parent_observation_id level statusMessage status_message promptName prompt_name promptVersion prompt_version usage usageDetails usage_details costDetails cost_details calculatedTotalCost totalCost total_cost projectId project_id createdAt updatedAt created_at updated_at latency unit inputTokens'.split(
    ' ',
  )

function assemble(id: string, parts: readonly Part[]) {
  const recordsOfKind = (name: string) =>
    parts.filter(({ kind }) => kind === name).map(({ record }) => record)
  const trace = recordsOfKind('trace').at(-1) ?? mergeRecords(recordsOfKind(traceEvent))
  const eventsById = Map.groupBy(recordsOfKind(observationEvent), (record) => String(record.id))
  const observations = [...recordsOfKind('observation'), ...[...eventsById.values()].map(mergeRecords)]
  // The enriched export has no trace records: each observation has the fields of its trace.
  const root: JsonRecord =
    observations.find((observation) => parentOf(observation) === undefined) ?? observations[0] ?? {}
  return makeTrace(name, {
    id,
    name: textOf(trace.name) ?? textOf(first(root, 'traceName', 'trace_name')) ?? textOf(root.name),
    startTime: trace.timestamp ?? first(root, 'startTime', 'start_time'),
    input: trace.input ?? root.input,
    output: trace.output ?? root.output,
    userId: textOf(first(trace, 'userId', 'user_id') ?? first(root, 'userId', 'user_id')),
    sessionId: textOf(first(trace, 'sessionId', 'session_id') ?? first(root, 'sessionId', 'session_id')),
    environment: textOf(trace.environment ?? root.environment),
    release: textOf(trace.release ?? root.release),
    tags: listOf(trace.tags ?? root.tags),
    metadata: parsedJson(trace.metadata),
    otherFields: unmappedFields(trace, mappedTraceFields),
    logs: observations.map((observation) => makeLog(name, logOf(observation))),
    scores: parts.filter(({ kind }) => kind === 'score').map(({ record }) => scoreOf(record)),
    warnings:
      Object.keys(trace).length === 0 && textOf(first(root, 'traceName', 'trace_name')) === undefined
        ? [
            'The export has observations of this trace but not the trace itself; its first observation stands for it.',
          ]
        : [],
  })
}

const parentOf = (observation: JsonRecord): string | undefined =>
  textOf(first(observation, 'parentObservationId', 'parent_observation_id'))

function logOf(observation: JsonRecord): LogParts {
  const type = types[String(observation.type)] ?? 'span'
  const kind = observation.type === 'SPAN' || observation.type === 'GENERATION' ? undefined : observation.type
  const message = textOf(first(observation, 'statusMessage', 'status_message'))
  const isFailed = observation.level === 'ERROR'
  return {
    id: String(observation.id),
    parentId: parentOf(observation),
    type,
    name: textOf(observation.name),
    startTime: first(observation, 'startTime', 'start_time'),
    endTime: first(observation, 'endTime', 'end_time'),
    input: observation.input,
    output: observation.output,
    metadata: parsedJson(observation.metadata),
    error: isFailed ? (message ?? 'ERROR') : undefined,
    otherFields: unmappedFields(
      { ...observation, kind, statusText: isFailed ? undefined : message },
      mappedLogFields,
    ),
    generation: type === 'generation' ? generationOf(observation) : undefined,
  }
}

function generationOf(observation: JsonRecord): LogParts['generation'] {
  const usage = recordOf(observation.usage) ?? {}
  const details = recordOf(first(observation, 'usageDetails', 'usage_details')) ?? {}
  const costs = recordOf(first(observation, 'costDetails', 'cost_details')) ?? {}
  const prompt = textOf(first(observation, 'promptName', 'prompt_name'))
  const version = textOf(first(observation, 'promptVersion', 'prompt_version'))
  return {
    model: textOf(first(observation, 'model', 'provided_model_name', 'providedModelName')),
    inputTokens: sumOf(details, 'input') ?? numberOf(usage.input),
    outputTokens: sumOf(details, 'output') ?? numberOf(usage.output),
    cacheReadTokens: numberOf(first(details, 'input_cached_tokens', 'cache_read_input_tokens')),
    reasoningTokens: numberOf(first(details, 'output_reasoning_tokens', 'output_reasoning')),
    cost:
      numberOf(first(observation, 'calculatedTotalCost', 'totalCost', 'total_cost')) ??
      numberOf(costs.total) ??
      sumOf(costs, ''),
    timeToFirstTokenMs: timeToFirstTokenOf(observation),
    prompt: prompt === undefined ? undefined : { slug: slugOf(prompt), ...withoutUndefined({ version }) },
  }
}

function timeToFirstTokenOf(observation: JsonRecord): number | undefined {
  const [began, start] = [
    instantOf(first(observation, 'completionStartTime', 'completion_start_time')),
    instantOf(first(observation, 'startTime', 'start_time')),
  ]
  if (began === undefined || start === undefined) return undefined
  const elapsedMs = Date.parse(String(began)) - Date.parse(String(start))
  return Number.isNaN(elapsedMs) ? undefined : elapsedMs
}

/** Its buckets do not overlap: `input`, `input_cached_tokens` and so on add up to the input. */
function sumOf(details: JsonRecord, prefix: string): number | undefined {
  const buckets = Object.entries(details).filter(
    ([bucket]) => bucket.startsWith(prefix) || (prefix === 'input' && bucket.startsWith('cache_')),
  )
  const counts = buckets.flatMap(([, count]) => numberOf(count) ?? [])
  return counts.length === 0 ? undefined : counts.reduce((sum, count) => sum + count, 0)
}

function scoreOf(score: JsonRecord): FoundScore {
  const type = first(score, 'dataType', 'data_type')
  const number = numberOf(score.value)
  const text = textOf(first(score, 'stringValue', 'string_value'))
  const value =
    type === 'BOOLEAN'
      ? score.value === true || number === 1 || text === 'True'
      : type === 'CATEGORICAL'
        ? (text ?? number)
        : number
  return {
    name: String(score.name),
    value: value ?? text ?? String(score.value),
    ...withoutUndefined({
      logId: textOf(first(score, 'observationId', 'observation_id')),
      comment: textOf(score.comment),
      createdAt: instantOf(first(score, 'timestamp', 'createdAt', 'created_at')),
    }),
  }
}
