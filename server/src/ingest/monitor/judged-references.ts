/** The evaluators that a trace refers to. Pure, since the recording worker calls it for each trace. */
import { hash } from 'node:crypto'
import { judgesFeature } from '@plumbline/contract/judge-traces'
import type { LogRow, TraceRow } from '@plumbline/storage/traces/rows'
import { isSampled } from './sample.ts'

/** A reference from a trace, or one of its logs, to an evaluator. */
export interface JudgedReference {
  /** Undefined if the evaluator judges the whole trace. */
  readonly logId: string | undefined
  readonly evaluatorSlug: string
  /** Digest of the judged texts; empty for a trace that does not grow. */
  readonly digest: string
}

/** A sampled trace with its evaluator references. */
export interface SampledTrace {
  readonly workspaceId: string
  readonly traceId: string
  readonly references: readonly JudgedReference[]
  /** Present if a live rule may match: the digest of the texts if the trace grows, else empty. */
  readonly liveDigest?: string
  /** Whether each evaluator uses its own sampling rate, because neither the trace nor an experiment sets one. */
  readonly hasOwnRates?: boolean
}

/** For each workspace with live rules: the highest rate of its rules for traces and logs, and of those for sessions. */
export type LiveRates = Readonly<Record<string, { readonly traces: number; readonly sessions: number }>>

/** Empty if no evaluator applies to the trace. A growing trace is judged again when its texts change. */
export function judgedReferences(
  { trace, logs }: { readonly trace: TraceRow; readonly logs: readonly LogRow[] },
  { isGrowing, liveRates }: { readonly isGrowing: boolean; readonly liveRates: LiveRates },
): SampledTrace[] {
  const { workspaceId, traceId } = trace
  const references = trace.sampled
    ? [
        ...referencesOf(trace, undefined, isGrowing),
        ...logs.flatMap((log) => referencesOf(log, log.logId, isGrowing)),
      ]
    : []
  // Traces of model judges are not judged themselves, since that would never end.
  const mayBeLive = trace.featureSlug !== judgesFeature && mayMatch(trace, liveRates[workspaceId])
  if (references.length === 0 && !mayBeLive) return []
  return [
    {
      workspaceId,
      traceId,
      references,
      ...(mayBeLive ? { liveDigest: digestOf(trace, isGrowing) } : {}),
      ...(trace.sampledBy?.startsWith('evaluator:') === true ? { hasOwnRates: true } : {}),
    },
  ]
}

const mayMatch = ({ traceId, sessionId }: TraceRow, rates: LiveRates[string] | undefined): boolean =>
  rates !== undefined &&
  (isSampled(traceId, rates.traces) || (sessionId !== null && isSampled(sessionId, rates.sessions)))

type Texts = Pick<TraceRow, 'input' | 'output' | 'idealOutput'>

const digestOf = ({ input, output, idealOutput }: Texts, isGrowing: boolean): string =>
  isGrowing ? hash('sha256', JSON.stringify([input, output, idealOutput])).slice(0, 16) : ''

function referencesOf(
  row: Texts & Pick<TraceRow, 'evaluators'>,
  logId: string | undefined,
  isGrowing: boolean,
): JudgedReference[] {
  if (row.evaluators === null) return []
  const digest = digestOf(row, isGrowing)
  // Safe: the row was made from a list of this shape.
  const slugs = (JSON.parse(row.evaluators) as { slug: string }[]).map(({ slug }) => slug)
  return [...new Set(slugs)].map((evaluatorSlug) => ({ logId, evaluatorSlug, digest }))
}
