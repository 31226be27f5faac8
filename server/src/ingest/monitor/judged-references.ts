/** The evaluators that a trace refers to. Pure, since the recording worker calls it for each trace. */
import { hash } from 'node:crypto'
import type { LogRow, TraceRow } from '@plumbline/storage/traces/rows'

/** A reference from a trace, or one of its logs, to an evaluator. */
export interface JudgedReference {
  /** Undefined for the whole trace. */
  readonly logId: string | undefined
  readonly evaluatorSlug: string
  /** Digest of the judged texts; empty if they never change. */
  readonly digest: string
}

/** A sampled trace with its evaluator references. */
export interface SampledTrace {
  readonly workspaceId: string
  readonly traceId: string
  readonly references: readonly JudgedReference[]
}

/** Empty if the trace was not sampled. A growing trace is judged again when its texts change. */
export function judgedReferences(
  { trace, logs }: { readonly trace: TraceRow; readonly logs: readonly LogRow[] },
  { isGrowing }: { readonly isGrowing: boolean },
): SampledTrace[] {
  if (!trace.sampled) return []
  const { workspaceId, traceId } = trace
  const references = [
    ...referencesOf(trace, undefined, isGrowing),
    ...logs.flatMap((log) => referencesOf(log, log.logId, isGrowing)),
  ]
  return references.length === 0 ? [] : [{ workspaceId, traceId, references }]
}

function referencesOf(
  row: Pick<TraceRow, 'evaluators' | 'input' | 'output' | 'idealOutput'>,
  logId: string | undefined,
  isGrowing: boolean,
): JudgedReference[] {
  if (row.evaluators === null) return []
  const digest = isGrowing
    ? hash('sha256', JSON.stringify([row.input, row.output, row.idealOutput])).slice(0, 16)
    : ''
  // Safe: the row was made from a list of this shape.
  const slugs = (JSON.parse(row.evaluators) as { slug: string }[]).map(({ slug }) => slug)
  return [...new Set(slugs)].map((evaluatorSlug) => ({ logId, evaluatorSlug, digest }))
}
