/** Finds settled traces that match live rules. */
import type { LiveEvaluator, NewEvaluation } from '@plumbline/storage/control'
import type { WorkspaceTraces } from '@plumbline/storage/traces'
import type { Logger } from 'pino'
import type { SampledTrace } from '../../../ingest/monitor/judged-references.ts'
import { isSampled } from '../../../ingest/monitor/sample.ts'
import { modelOf } from '../../../workspace/caches.ts'
import { readableSelection, readLiveRule } from '../../evaluators/live-rule.ts'
import { newEvaluation } from '../new-evaluation.ts'

export interface LiveParts {
  readonly liveEvaluators: () => Promise<ReadonlyMap<string, readonly LiveEvaluator[]>>
  readonly tracesOf: (workspaceId: string) => Pick<WorkspaceTraces, 'liveMatches'>
  readonly logger: Logger
}

/** The evaluations of the traces that match a live rule of their workspace. */
export async function liveEvaluations(
  sampledTraces: readonly SampledTrace[],
  parts: LiveParts,
): Promise<NewEvaluation[]> {
  const candidates = sampledTraces.filter(({ liveDigest }) => liveDigest !== undefined)
  if (candidates.length === 0) return []
  const evaluators = await parts.liveEvaluators()
  const results: NewEvaluation[] = []
  for (const [workspaceId, traces] of Map.groupBy(candidates, (trace) => trace.workspaceId))
    for (const evaluator of evaluators.get(workspaceId) ?? [])
      results.push(...(await evaluationsOf(evaluator, traces, { ...parts, workspaceId })))
  return results
}

async function evaluationsOf(
  evaluator: LiveEvaluator,
  traces: readonly SampledTrace[],
  { workspaceId, tracesOf, logger }: LiveParts & { readonly workspaceId: string },
): Promise<NewEvaluation[]> {
  const rule = readLiveRule(evaluator.liveRule)
  // Sessions are judged once they are quiet.
  if (rule.subject === 'session') return []
  const byId = new Map(
    traces
      .filter(({ traceId }) => isSampled(traceId, rule.sampleRate))
      .map((trace) => [trace.traceId, trace] as const),
  )
  if (byId.size === 0) return []
  const selection = readableSelection(rule, evaluator.slug, logger)
  if (selection === undefined) return []
  const matches = await tracesOf(workspaceId).liveMatches([...byId.keys()], selection)
  return matches.flatMap(({ traceId, logId, digest }) => {
    const trace = byId.get(traceId)
    if (trace === undefined || isNamed(trace, logId, evaluator.slug)) return []
    const judgedDigest = logId === undefined || trace.liveDigest === '' ? (trace.liveDigest ?? '') : digest
    const reference = { logId, evaluatorSlug: evaluator.slug, digest: judgedDigest }
    return newEvaluation(trace, reference, { ...evaluator, target: modelOf(evaluator) })
  })
}

/** Whether the trace or log references the evaluator, and is judged for that reason. */
const isNamed = ({ references }: SampledTrace, logId: string | undefined, slug: string): boolean =>
  references.some((reference) => reference.logId === logId && reference.evaluatorSlug === slug)
