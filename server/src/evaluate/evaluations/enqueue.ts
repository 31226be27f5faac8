/** Enqueues the evaluations of sampled traces. */
import type { Arrival, EvaluationQueue, NewEvaluation } from '@plumbline/storage/control'
import type { SampledTrace } from '../../ingest/monitor/judged-references.ts'
import { isSampled } from '../../ingest/monitor/sample.ts'
import type { WorkspaceCache } from '../../workspace/workspace-cache.ts'
import { type LiveParts, liveEvaluations } from './live/live-evaluations.ts'
import type { QuietSessions } from './live/quiet-sessions.ts'
import { newEvaluation } from './new-evaluation.ts'
import { deadlineMs } from './retry-policy.ts'

interface EnqueueParts extends LiveParts {
  readonly queue: Pick<EvaluationQueue, 'add' | 'addArrivals' | 'claimArrival' | 'addArrived'>
  readonly quietSessions: QuietSessions
  readonly cacheOf: (workspaceId: string) => Pick<WorkspaceCache, 'evaluator'>
  readonly now: () => Date
}

export interface Enqueue {
  /** Stores sampled traces cheaply, for `enqueueNextArrival`; the same records have the same token. */
  recordArrivals(token: string, traces: readonly SampledTrace[]): Promise<void>
  /** Enqueues the evaluations of one stored arrival; false when none is left. */
  enqueueNextArrival(): Promise<boolean>
  /** Enqueues the evaluations of some traces. */
  add(traces: readonly SampledTrace[]): Promise<void>
}

/** Rough number of evaluations per arrival: writing them blocks the request thread. */
const evaluationsPerArrivalMax = 300
/** After this time another node claims the arrival as well; enqueueing it twice adds nothing. */
const arrivalLeaseMs = 10_000

export function makeEnqueue(parts: EnqueueParts): Enqueue {
  const { queue, quietSessions, cacheOf, now } = parts
  const toNewEvaluations = async (traces: readonly SampledTrace[]): Promise<NewEvaluation[]> => {
    const added: NewEvaluation[] = []
    for (const trace of traces) {
      const cache = cacheOf(trace.workspaceId)
      for (const reference of trace.references) {
        const evaluator = await cache.evaluator(reference.evaluatorSlug)
        // Ingestion has warned about unknown evaluators, and `human` evaluators are not run automatically.
        if (
          evaluator !== undefined &&
          evaluator.kind !== 'human' &&
          isWithinOwnRate(trace, evaluator.sampleRate)
        )
          added.push(newEvaluation(trace, reference, evaluator))
      }
    }
    await quietSessions.watch(traces)
    return [...added, ...(await liveEvaluations(traces, parts))]
  }
  const times = () => {
    const time = now()
    return { now: time, deadlineAt: new Date(time.getTime() + deadlineMs) }
  }
  return {
    recordArrivals: (token, traces) => queue.addArrivals(splitIntoArrivals(token, traces), now()),
    async enqueueNextArrival() {
      const time = now()
      const arrival = await queue.claimArrival({
        now: time,
        leaseExpiresAt: new Date(time.getTime() + arrivalLeaseMs),
      })
      if (arrival === undefined) return false
      // Safe: `splitIntoArrivals` wrote it.
      const sampled = JSON.parse(arrival.sampled) as Omit<SampledTrace, 'workspaceId'>[]
      const { workspaceId } = arrival
      const added = await toNewEvaluations(sampled.map((trace) => ({ workspaceId, ...trace })))
      await queue.addArrived(arrival.id, added, times())
      return true
    },
    async add(traces) {
      await queue.add(await toNewEvaluations(traces), times())
    },
  }
}

/** Groups traces into arrivals of one workspace each, with a bounded number of evaluations. */
function splitIntoArrivals(token: string, sampledTraces: readonly SampledTrace[]): Arrival[] {
  const arrivals: Arrival[] = []
  for (const [workspaceId, traces] of Map.groupBy(sampledTraces, (trace) => trace.workspaceId)) {
    let arrivalsOfWorkspace = 0
    let arrival: Omit<SampledTrace, 'workspaceId'>[] = []
    let evaluations = 0
    const endArrival = (): void => {
      // Unique per workspace, since workspaces of one segment may arrive separately while the shard of some is away.
      const id = `${token} ${workspaceId} ${arrivalsOfWorkspace++}`
      if (arrival.length > 0)
        arrivals.push({ id, workspaceId, sampled: JSON.stringify(arrival), evaluations })
      arrival = []
      evaluations = 0
    }
    for (const { workspaceId: _, ...trace } of traces) {
      arrival.push(trace)
      evaluations += trace.references.length
      if (Math.max(evaluations, arrival.length) >= evaluationsPerArrivalMax) endArrival()
    }
    endArrival()
  }
  return arrivals
}

/** A trace that was sampled at the highest rate of its evaluators is judged by each evaluator at its own rate. */
const isWithinOwnRate = ({ traceId, hasOwnRates }: SampledTrace, rate: number): boolean =>
  hasOwnRates !== true || isSampled(traceId, rate)
