/** What a trace says of who judges it. Pure, since the recording worker asks for each trace. */
import { hash } from 'node:crypto'
import type { LogRow, TraceRow } from '@plumbline/storage/traces/rows'

/** One evaluator that a trace, or one of its logs, refers to. */
export interface JudgedReference {
  /** Undefined for the whole trace. */
  readonly logId: string | undefined
  readonly evaluatorSlug: string
  /** Of the texts that are judged; empty where they never change. */
  readonly digest: string
}

/** A trace that was drawn, with what it refers to. */
export interface SampledTrace {
  readonly workspaceId: string
  readonly traceId: string
  readonly references: readonly JudgedReference[]
}

/** Who judges a trace; nobody if it was not drawn. One that grows is judged again when its texts have changed. */
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
