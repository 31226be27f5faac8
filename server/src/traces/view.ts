/** Converts stored rows to the interface: every field as sent, plus the computed ones. */
import {
  type OutlinedLog,
  recordedLogFields,
  recordedTraceFields,
  recordedValues,
  type SampledBy,
  type Score,
  type StoredLog,
  type StoredTrace,
  type TraceOutline,
  type TraceSummary,
} from '@plumbline/contract'
import { parseJsonText } from '@plumbline/storage/parse-json-text'
import type {
  LogOutline,
  LogRow,
  ScoreRow,
  StoredTrace as StoredRows,
  TraceSummary as SummaryRow,
  TraceHead,
  TraceRow,
} from '@plumbline/storage/traces'
import { arrivalMs, incompletenessOf } from '@plumbline/storage/traces/rows'
import { writeTimestamp } from '../json/timestamp.ts'
import { errorMessage } from './error-message.ts'

/** A trace with its logs, in the order sent, and its scores, oldest first, as a caller sees them. */
export const toStoredTrace = ({ trace, logs, scores }: StoredRows, callerId?: string): StoredTrace => ({
  ...ownFields(trace, incompletenessOf(logs)),
  logs: logs.map(toStoredLog),
  scores: scores.map((score) => toScore(score, callerId)),
})

/** A trace that may lack its logs. */
export const toTraceOutline = (
  { trace, logs, scores, incompleteness }: TraceHead,
  callerId: string,
): TraceOutline => ({
  ...ownFields(trace, incompleteness),
  logCount: trace.logCount,
  ...(logs && { logs: logs.map(toStoredLog) }),
  scores: scores.map((score) => toScore(score, callerId)),
})

function ownFields(trace: TraceRow, incompleteness: TraceHead['incompleteness']) {
  const fields = computedFields(trace)
  return {
    ...fields,
    totals: { ...fields.totals, ...incompleteness },
    chainSlug: readJson<{ chainSlug?: string }>(trace.sent)?.chainSlug ?? null,
    metadata: readJson<StoredTrace['metadata']>(trace.metadata),
    input: readJson<StoredTrace['input']>(trace.input),
    output: readJson<StoredTrace['output']>(trace.output),
    idealOutput: readJson<StoredTrace['idealOutput']>(trace.idealOutput),
    evaluators: readJson<StoredTrace['evaluators']>(trace.evaluators),
    evaluationConfig: readConfig(trace.evaluationConfig),
  }
}

/** A trace in the list. */
export const toTraceSummary = (row: SummaryRow, error: string | undefined): TraceSummary => ({
  ...computedFields(row),
  metadata: readJson(row.metadata),
  inputPreview: row.inputPreview,
  outputPreview: row.outputPreview,
  logCount: row.logCount,
  error: error === undefined ? null : errorMessage(error),
})

/** A score as a caller sees it. */
export function toScore(row: ScoreRow, callerId: string | undefined): Score {
  const { scoreId, traceId, logId, sessionId, name, value, comment, source, createdAtMs } = row
  const { evaluatorSlug, evaluatorVersion, model, judgeTraceId, cost, author, userId } = row
  return {
    id: scoreId,
    traceId,
    logId,
    sessionId,
    name,
    value,
    comment,
    source,
    author,
    isOwn: callerId !== undefined && row.apiKeyId === callerId,
    userId,
    evaluatorSlug,
    evaluatorVersion: evaluatorVersion === null ? null : Number(evaluatorVersion),
    model,
    judgeTraceId,
    cost,
    createdAt: new Date(createdAtMs).toISOString(),
  }
}

type SharedRow = Omit<
  TraceRow,
  'input' | 'output' | 'idealOutput' | 'evaluators' | 'judges' | 'evaluationConfig' | 'sent'
>

const computedFields = (row: SharedRow) => ({
  id: row.traceId,
  name: row.name,
  featureSlug: row.featureSlug,
  startTime: writeTimestamp(row.startUs),
  endTime: instantOf(row.endUs),
  receivedAt: new Date(arrivalMs(row.traceId)).toISOString(),
  organization:
    row.organizationId === null ? null : { id: row.organizationId, name: row.organizationName ?? '' },
  user: row.userId === null ? null : { id: row.userId, name: row.userName ?? '' },
  ...recordedValues(recordedTraceFields, (field) => row[field]),
  experiment: row.experimentId === null ? null : { id: row.experimentId },
  totals: {
    inputTokens: row.inputTokens,
    outputTokens: row.outputTokens,
    cost: row.cost,
    durationMs: row.durationUs === null ? null : Number(row.durationUs) / 1000,
    errors: row.errors,
    models: row.models,
    tokensEstimated: row.tokensEstimated,
  },
  sampled: row.sampled,
  sampleRate: row.sampleRate,
  sampledBy: readSampledBy(row.sampledBy),
  warning: row.warning,
})

const ofEvaluator = 'evaluator:'

/** Reads the stored source of the sampling rate. */
export function readSampledBy(text: string | null): SampledBy | null {
  if (text === null) return null
  return text.startsWith(ofEvaluator)
    ? { type: 'evaluator', evaluatorSlug: text.slice(ofEvaluator.length) }
    : // Safe: `samplingOf` names only these.
      { type: text as SampledBy['type'], evaluatorSlug: null }
}

/** A log with everything that was sent for it. */
export function toStoredLog(row: LogRow): StoredLog {
  return {
    id: row.logId,
    // Safe: the contract's schema accepts only these types.
    type: row.type as StoredLog['type'],
    name: row.name,
    parentId: row.parentId,
    startTime: instantOf(row.startUs),
    endTime: instantOf(row.endUs),
    metadata: readJson(row.metadata),
    input: readJson(row.input),
    output: readJson(row.output),
    idealOutput: readJson(row.idealOutput),
    evaluators: readJson(row.evaluators),
    ...(row.type === 'generation' || reportsUsage(row) ? generationFields(row) : {}),
  }
}

/** What the tree shows of a log. */
export function toOutlinedLog(row: LogOutline): OutlinedLog {
  const { model, inputTokens, outputTokens, tokensEstimated, cost, costEstimate } = row
  const { countsInTotals, costInTotals } = row
  const costDetail = readJson<OutlinedLog['costDetail']>(row.costDetail)
  return {
    id: row.logId,
    // Safe: the contract's schema accepts only these types.
    type: row.type as OutlinedLog['type'],
    name: row.name,
    parentId: row.parentId,
    startTime: instantOf(row.startUs),
    endTime: instantOf(row.endUs),
    error: row.error === null ? null : errorMessage(row.error),
    ...((row.type === 'generation' || reportsUsage(row)) && {
      model,
      inputTokens,
      outputTokens,
      tokensEstimated,
      cost,
      costEstimate,
      countsInTotals,
      costInTotals,
      ...(costDetail && { costDetail }),
    }),
  }
}

/** Agents of some frameworks report the usage of their generations. */
const reportsUsage = ({
  model,
  inputTokens,
  outputTokens,
  cost,
}: Pick<LogRow, 'model' | 'inputTokens' | 'outputTokens' | 'cost'>): boolean =>
  [model, inputTokens, outputTokens, cost].some((figure) => figure !== null)

const generationFields = (row: LogRow) => ({
  variables: readJson<StoredLog['variables']>(row.variables),
  prompt: promptOf(row),
  promptVersion: row.promptVersion,
  model: row.model,
  provider: row.provider,
  inputTokens: row.inputTokens,
  outputTokens: row.outputTokens,
  tokensEstimated: row.tokensEstimated,
  usage: {
    freshInput: row.freshInputTokens ?? 0,
    cacheRead: row.cacheReadTokens ?? 0,
    cacheWrite: row.cacheWriteTokens ?? 0,
    textOutput: row.textOutputTokens ?? 0,
    reasoning: row.reasoningTokens ?? 0,
    ...row.otherTokens,
  },
  serviceTier: row.serviceTier,
  cost: row.cost,
  ...recordedValues(recordedLogFields, (field) => row[field]),
  costEstimate: row.costEstimate,
  costDetail: readJson<StoredLog['costDetail']>(row.costDetail),
  countsInTotals: row.countsInTotals,
  costInTotals: row.costInTotals,
})

/** The reference as sent; without a version, it has the served one. */
function promptOf({ prompt, promptVersion }: LogRow): StoredLog['prompt'] {
  const reference = readJson<NonNullable<StoredLog['prompt']>>(prompt)
  if (reference === null || promptVersion === null || reference.version) return reference
  return { ...reference, version: promptVersion }
}

/** Old clients send the rate as `sample_rate`; the response has both names. */
function readConfig(json: string | null): StoredTrace['evaluationConfig'] {
  const config = readJson<{ sampleRate?: number | null; sample_rate?: number | null }>(json)
  if (config === null || config.sampleRate != null || config.sample_rate == null) return config
  return { ...config, sampleRate: config.sample_rate }
}

const instantOf = (micros: bigint | null): string | null => (micros === null ? null : writeTimestamp(micros))

/** Parses JSON text that this service stored; null if there is none. */
function readJson<Value>(json: string | null): Value | null {
  // Safe: the rows were made from values of this shape.
  return json === null ? null : (parseJsonText(json) as Value)
}
