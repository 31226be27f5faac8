/** Rows of OpenTelemetry traces, made of everything that is stored of their spans. Runs in the recording worker. */
import type { AssembledTrace } from '@plumbline/storage/control'
import type { ScoreRow, SpanRow } from '@plumbline/storage/traces/rows'
import { encodeAssembledLogRow, encodeAssembledTraceRow } from '@plumbline/storage/traces/rows'
import { judgedReferences, type SampledTrace } from '../evaluations/judged-references.ts'
import { LineBuffer } from '../monitor/line-buffer.ts'
import type { Means } from '../monitor/make-log-row.ts'
import { makeSpanRows } from './make-span-rows.ts'
import { spansOfLines } from './span-line.ts'
import { traceIdOf } from './trace-id.ts'

/** An OpenTelemetry trace to assemble. */
export interface AskedAssembly {
  readonly workspaceId: string
  readonly otelTraceId: string
  readonly firstAtMs: number
  /** Of the spans that it was assembled of last; empty where it is to be assembled in any case. */
  readonly digest: string
  /** Experiments that its traces have joined after they were recorded, by our trace id. */
  readonly joined?: Readonly<Record<string, string>>
}

export interface AssemblyResult {
  readonly workspaceId: string
  readonly otelTraceId: string
  readonly digest: string
  /** Nothing has come but what was there: no rows were made. */
  readonly isUnchanged: boolean
  readonly spans: number
  readonly hasEndedRoot: boolean
  readonly traces: readonly AssembledTrace[]
  /** What is to be judged of it. */
  readonly sampled: readonly SampledTrace[]
  /** Why no rows could be made of it. */
  readonly error: string | undefined
}

export interface AssembledRows {
  readonly traces: Uint8Array
  readonly logs: Uint8Array
  readonly scores: readonly ScoreRow[]
  readonly results: readonly AssemblyResult[]
}

export interface AssembleTask {
  /** As `readSpans` of the trace store gives them. */
  readonly lines: string
  readonly asked: readonly AskedAssembly[]
  readonly revision: number
}

/** Makes the rows of each trace that has changed. */
export async function assemble(
  { lines, asked, revision }: AssembleTask,
  meansOf: (workspaceId: string) => Means,
): Promise<AssembledRows> {
  const linesOf = groupedLines(lines)
  const traces = new LineBuffer(lines.length >> 2)
  const logs = new LineBuffer(lines.length * 2)
  const scores: ScoreRow[] = []
  const results: AssemblyResult[] = []
  for (const each of asked) {
    const { workspaceId, otelTraceId } = each
    const of = linesOf.get(`${workspaceId}\t${otelTraceId}`) ?? []
    const result = {
      workspaceId,
      otelTraceId,
      digest: '',
      isUnchanged: true,
      spans: 0,
      hasEndedRoot: false,
      traces: [],
      sampled: [],
      error: undefined,
    }
    try {
      const { spans, digest } = spansOfLines(otelTraceId, of)
      const hasEndedRoot = spans.some((span) => span.parentSpanId === null && span.endNs !== null)
      const known = { ...result, digest, spans: spans.length, hasEndedRoot }
      // Spans that are gone, since they were kept for a time only, take nothing away.
      if (spans.length === 0 || digest === each.digest) {
        results.push(known)
        continue
      }
      const context = {
        workspaceId,
        traceIdOf: (root: string | null) => traceIdOf(each, root),
        ...(each.joined === undefined ? {} : { joined: each.joined }),
      }
      const rows = makeSpanRows(spans, context, meansOf(workspaceId))
      const assembled = { revision, otelTraceId }
      // All lines are made before the first is kept, so that no trace is stored by half.
      const logLines = rows.traces.flatMap((trace) =>
        trace.logs.map((log) => encodeAssembledLogRow(log, assembled)),
      )
      const traceLines = rows.traces.map(({ trace }) => encodeAssembledTraceRow(trace, assembled))
      for (const line of logLines) logs.append(line)
      for (const line of traceLines) traces.append(line)
      for (const score of rows.scores) scores.push(score)
      const keys = rows.traces.map(({ trace: { traceId, startUs } }) => ({ traceId, startUs }))
      const sampled = rows.traces.flatMap((of) => judgedReferences(of, { isGrowing: true }))
      results.push({ ...known, isUnchanged: false, traces: keys, sampled })
    } catch (error) {
      results.push({
        ...result,
        error: error instanceof Error ? (error.stack ?? error.message) : String(error),
      })
    }
    // Records that are being read must not wait for a whole batch.
    await new Promise(setImmediate)
  }
  return { traces: traces.take(), logs: logs.take(), scores, results }
}

type Line = Omit<SpanRow, 'workspaceId' | 'otelTraceId' | 'isEnded'>

function groupedLines(lines: string): Map<string, Line[]> {
  const grouped = new Map<string, Line[]>()
  for (let start = 0; start < lines.length; ) {
    const feed = lines.indexOf('\n', start)
    const end = feed === -1 ? lines.length : feed
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
    const of = grouped.get(key) ?? []
    grouped.set(key, of)
    of.push({ spanId, addition, receivedAtMs: Number(receivedAt), apiKeyId, resolved, span })
  }
  return grouped
}
