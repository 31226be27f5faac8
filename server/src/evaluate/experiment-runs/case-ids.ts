import { hash } from 'node:crypto'
import type { ExperimentCase, ExperimentRun } from '@plumbline/storage/control'
import { traceIdOf } from '../../ingest/otlp/trace-id.ts'

/** Ids of a case, derived from the run, the row and the repetition, so that a case that runs twice is one trace. */
export interface CaseIds {
  /** The OpenTelemetry trace id, 32 hexadecimal digits: spans that an endpoint records under it join the trace. */
  readonly otelTraceId: string
  /** The case's own span. */
  readonly spanId: string
  readonly generationSpanId: string
  /** Our own trace id. */
  readonly traceId: string
  /** The W3C Trace Context header. */
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
