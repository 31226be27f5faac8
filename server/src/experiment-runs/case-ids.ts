import { hash } from 'node:crypto'
import type { ExperimentCase, ExperimentRun } from '@plumbline/storage/control'
import { traceIdOf } from '../otlp/trace-id.ts'

/** Ids of a case: they follow from the run, the row and the repetition, so that a case that runs twice is one trace. */
export interface CaseIds {
  /** Of OpenTelemetry, 32 hexadecimal digits: what an endpoint records under it is part of the trace. */
  readonly otelTraceId: string
  /** Of the case's own span. */
  readonly spanId: string
  readonly generationSpanId: string
  /** Ours. */
  readonly traceId: string
  /** The header of W3C Trace Context. */
  readonly traceparent: string
}

export function caseIds(
  { id, workspaceId, createdAt }: Pick<ExperimentRun, 'id' | 'workspaceId' | 'createdAt'>,
  { position, repetition }: Pick<ExperimentCase, 'position' | 'repetition'>,
): CaseIds {
  const digest = hash('sha256', JSON.stringify([workspaceId, id, position, repetition]))
  const [otelTraceId, spanId] = [digest.slice(0, 32), digest.slice(32, 48)]
  return {
    otelTraceId,
    spanId,
    generationSpanId: digest.slice(48, 64),
    traceId: traceIdOf({ workspaceId, otelTraceId, firstAtMs: createdAt.getTime() }, null),
    traceparent: `00-${otelTraceId}-${spanId}-01`,
  }
}
