/** Builds the rows of OpenTelemetry traces from all their stored spans. Runs in the recording worker. */
import type { AssembledTrace } from '@plumbline/storage/control'
import type { ScoreRow, SpanRow } from '@plumbline/storage/traces/rows'
import { TraceBlocks } from '@plumbline/storage/traces/rows'
import { isSystemError } from '../../../process/system-error.ts'
import { judgedReferences, type LiveRates, type SampledTrace } from '../../monitor/judged-references.ts'
import type { RowContext } from '../../monitor/worker/make-log-row.ts'
import { makeSpanRows } from '../make-span-rows.ts'
import { traceIdOf } from '../trace-id.ts'
import { spansOfRows } from './stored-span.ts'

/** An OpenTelemetry trace to assemble. */
export interface AssemblyRequest {
  readonly workspaceId: string
  readonly otelTraceId: string
  readonly firstAtMs: number
  /** Digest of the spans of the last assembly; empty to assemble the trace even if nothing changed. */
  readonly digest: string
  /** Experiments that its traces joined after they were recorded, by our trace id. */
  readonly experimentIds?: Readonly<Record<string, string>>
}

export interface AssemblyResult {
  readonly workspaceId: string
  readonly otelTraceId: string
  readonly digest: string
  /** True when no new spans arrived; then there are no rows. */
  readonly isUnchanged: boolean
  readonly spans: number
  readonly hasEndedRoot: boolean
  readonly traces: readonly AssembledTrace[]
  /** The sampled traces and logs to evaluate. */
  readonly sampledTraces: readonly SampledTrace[]
  /** How often each attribute occurred that no convention understands. */
  readonly notUnderstood?: Readonly<Record<string, number>>
  /** Why the rows could not be built. */
  readonly error: string | undefined
}

export interface AssembledRows {
  readonly traces: Uint8Array
  readonly logs: Uint8Array
  readonly scores: readonly ScoreRow[]
  readonly results: readonly AssemblyResult[]
}

export interface AssembleTask {
  /** The lines that the trace store's `readSpans` returns. */
  readonly lines: string
  readonly assemblies: readonly AssemblyRequest[]
  readonly revision: number
  readonly liveRates: LiveRates
}

/** Builds the rows of each trace that changed. */
export async function assemble(
  { lines, assemblies, revision, liveRates }: AssembleTask,
  rowContextOf: (workspaceId: string) => RowContext,
): Promise<AssembledRows> {
  const linesByTrace = groupLines(lines)
  const blocks = new TraceBlocks()
  const scores: ScoreRow[] = []
  const results: AssemblyResult[] = []
  for (const each of assemblies) {
    const { workspaceId, otelTraceId } = each
    const spanLines = linesByTrace.get(`${workspaceId}\t${otelTraceId}`) ?? []
    const result = {
      workspaceId,
      otelTraceId,
      digest: '',
      isUnchanged: true,
      spans: 0,
      hasEndedRoot: false,
      traces: [],
      sampledTraces: [],
      error: undefined,
    }
    try {
      const { spans, digest } = spansOfRows(otelTraceId, spanLines)
      const hasEndedRoot = spans.some((span) => span.parentSpanId === null && span.endNs !== null)
      const state = { ...result, digest, spans: spans.length, hasEndedRoot }
      // Spans expire: a trace keeps its rows after its spans are deleted.
      if (spans.length === 0 || digest === each.digest) {
        results.push(state)
        continue
      }
      const context = {
        workspaceId,
        traceIdOf: (root: string | null) => traceIdOf(each, root),
        ...(each.experimentIds === undefined ? {} : { experimentIds: each.experimentIds }),
      }
      const rows = makeSpanRows(spans, context, rowContextOf(workspaceId))
      blocks.append({ traces: rows.traces }, { revision, otelTraceId })
      for (const score of rows.scores) scores.push(score)
      const keys = rows.traces.map(({ trace: { traceId, startUs } }) => ({ traceId, startUs }))
      const sampledTraces = rows.traces.flatMap((traceRows) =>
        judgedReferences(traceRows, { isGrowing: true, liveRates }),
      )
      results.push({
        ...state,
        isUnchanged: false,
        traces: keys,
        sampledTraces,
        notUnderstood: rows.notUnderstood,
      })
    } catch (error) {
      // The trace is not the cause, and stays due.
      if (isSystemError(error)) throw error
      results.push({
        ...result,
        error: error instanceof Error ? (error.stack ?? error.message) : String(error),
      })
    }
    // Yields, so that reads of pending records do not wait for the whole batch.
    await new Promise(setImmediate)
  }
  const { traces, logs } = blocks.take()
  return { traces, logs, scores, results }
}

type Line = Omit<SpanRow, 'workspaceId' | 'otelTraceId' | 'isEnded'>

/** The spans of one trace, selected from lines of the trace store. */
export const linesOf = ({ workspaceId, otelTraceId }: AssemblyRequest, lines: string): readonly Line[] =>
  groupLines(lines).get(`${workspaceId}\t${otelTraceId}`) ?? []

/** The arrival times of the spans in such lines. */
export const arrivalsOf = (lines: string): number[] =>
  [...groupLines(lines).values()].flat().map(({ receivedAtMs }) => receivedAtMs)

function groupLines(lines: string): Map<string, Line[]> {
  const grouped = new Map<string, Line[]>()
  for (let start = 0; start < lines.length; ) {
    const newline = lines.indexOf('\n', start)
    const end = newline === -1 ? lines.length : newline
    const fields = lines.slice(start, end).split('\t')
    start = end + 1
    const [workspaceId, otelTraceId, spanId, addition, receivedAt, apiKeyId, resolved, span] = fields as [
      string,
      string,
      string,
      string,
      string,
      string,
      string,
      string,
    ]
    const key = `${workspaceId}\t${otelTraceId}`
    const group = grouped.get(key) ?? []
    grouped.set(key, group)
    group.push({ spanId, addition, receivedAtMs: Number(receivedAt), apiKeyId, resolved, span })
  }
  return grouped
}
