/** Traces and observations as Langfuse shows them. */
import type { StoredLog, StoredTrace, TraceSummary } from '@plumbline/contract'
import { durationMsOf } from '../json/timestamp.ts'
import { isRecord, textOrUndefined } from './read-input.ts'
import { toScore } from './score-view.ts'

const types: Readonly<Record<StoredLog['type'], string>> = {
  generation: 'GENERATION',
  span: 'SPAN',
  function: 'SPAN',
  tool: 'TOOL',
  retrieval: 'RETRIEVER',
  event: 'EVENT',
}

/** The ids of a trace for Langfuse's clients: the OpenTelemetry id, or our own for a trace without one. */
export interface TraceIds {
  readonly traceId: string
  readonly workspaceId: string
}

type SharedFields = Omit<TraceSummary, 'inputPreview' | 'outputPreview' | 'logCount' | 'error'>

const traceFields = (trace: SharedFields, { traceId, workspaceId }: TraceIds) => ({
  id: traceId,
  projectId: workspaceId,
  timestamp: trace.startTime,
  name: trace.name,
  sessionId: trace.sessionId ?? null,
  release: trace.release ?? null,
  version: null,
  userId: trace.user?.id ?? null,
  metadata: trace.metadata ?? {},
  tags: trace.tags ?? [],
  public: false,
  bookmarked: false,
  environment: trace.environment ?? 'default',
  htmlPath: `/app/traces/${trace.id}`,
  latency: secondsOf(trace.totals.durationMs),
  totalCost: trace.totals.cost ?? 0,
  createdAt: trace.receivedAt,
  updatedAt: trace.receivedAt,
})

export const toTrace = (trace: StoredTrace, ids: TraceIds): object => ({
  ...traceFields(trace, ids),
  input: trace.input,
  output: trace.output,
  observations: trace.logs.map((log) => toObservation(log, trace, ids)),
  scores: trace.scores.map((score) => toScore({ ...score, traceId: ids.traceId }, ids.workspaceId)),
})

export const toListedTrace = (trace: TraceSummary, ids: TraceIds): object => ({
  ...traceFields(trace, ids),
  input: trace.inputPreview,
  output: trace.outputPreview,
  observations: [],
  scores: [],
})

export function toObservation(
  log: StoredLog,
  trace: StoredTrace,
  { traceId, workspaceId }: TraceIds,
): object {
  const { otel: _, langfuse, parameters, ...metadata } = log.metadata ?? {}
  // Spans of Langfuse's clients have this field, but other metadata may have the same name.
  const { type, level, statusMessage, version } = isRecord(langfuse) ? langfuse : {}
  const [input, output] = [log.inputTokens ?? 0, log.outputTokens ?? 0]
  const durationMs = durationMsOf(log.startTime, log.endTime)
  const cost = log.cost ?? null
  return {
    id: log.id,
    traceId,
    projectId: workspaceId,
    type: textOrUndefined(type) ?? types[log.type],
    name: log.name,
    startTime: log.startTime ?? trace.startTime,
    endTime: log.endTime,
    completionStartTime: null,
    model: log.model ?? null,
    modelId: null,
    modelParameters: isRecord(parameters) ? parameters : {},
    input: log.input,
    output: log.output,
    version: textOrUndefined(version) ?? null,
    metadata,
    usage: { input, output, total: input + output, unit: 'TOKENS' },
    usageDetails: log.inputTokens == null ? {} : { input, output, total: input + output },
    costDetails: cost === null ? {} : { total: cost },
    level: textOrUndefined(level) ?? 'DEFAULT',
    statusMessage: textOrUndefined(statusMessage) ?? null,
    parentObservationId: log.parentId,
    promptId: null,
    promptName: log.prompt?.slug ?? null,
    promptVersion: numberOf(log.promptVersion),
    environment: trace.environment ?? 'default',
    inputPrice: null,
    outputPrice: null,
    totalPrice: null,
    calculatedInputCost: null,
    calculatedOutputCost: null,
    calculatedTotalCost: cost,
    latency: secondsOf(durationMs),
    timeToFirstToken: secondsOf(log.timeToFirstTokenMs ?? null),
    createdAt: trace.receivedAt,
    updatedAt: trace.receivedAt,
  }
}

const secondsOf = (ms: number | null): number | null => (ms === null ? null : ms / 1000)

const numberOf = (version: string | null | undefined): number | null =>
  version != null && /^\d{1,9}$/.test(version) ? Number(version) : null
