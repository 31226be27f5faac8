/**
 * Judges sessions once they are quiet. A trace that matches a live rule for sessions adds a job for the time at which its
 * session will be quiet if no more of it arrives. The job checks again, and waits longer if more has arrived.
 *
 * For each period of that length, a session has one job. So a trace that arrives while a job checks its session gets a job
 * of its own, in a later period, and none is missed. The evaluation of one state of a session exists once, however many
 * jobs check it.
 */
import type { EvaluationQueue, JobQueue, LiveEvaluator } from '@plumbline/storage/control'
import type { WorkspaceTraces } from '@plumbline/storage/traces'
import type { SampledTrace } from '../../../ingest/monitor/judged-references.ts'
import { isSampled } from '../../../ingest/monitor/sample.ts'
import type { JobContext, JobResult } from '../../../jobs/job.ts'
import type { Jobs } from '../../../jobs/jobs.ts'
import { modelOf } from '../../../workspace/caches.ts'
import { quietMsOf, readableSelection, readLiveRule } from '../../evaluators/live-rule.ts'
import { newEvaluation } from '../new-evaluation.ts'
import { deadlineMs } from '../retry-policy.ts'
import type { LiveParts } from './live-evaluations.ts'

interface QuietSessionsDeps extends Omit<LiveParts, 'tracesOf'> {
  readonly jobs: Pick<Jobs, 'handle' | 'notify'>
  readonly jobQueue: Pick<JobQueue, 'enqueue'>
  readonly evaluations: Pick<EvaluationQueue, 'add'>
  readonly tracesOf: (workspaceId: string) => Pick<WorkspaceTraces, 'liveSessions' | 'sessionEnd'>
  /** Signals that evaluations may be due. */
  readonly notify: () => void
  readonly now: () => Date
}

type QuietSession = {
  readonly evaluatorSlug: string
  readonly sessionId: string
  readonly quietMs: number
  /** The number of the period in which the job is due. */
  readonly period: number
}

export interface QuietSessions {
  /** Queues the sessions of traces that match a live rule, to be judged once they are quiet. */
  watch(traces: readonly SampledTrace[]): Promise<void>
}

export function makeQuietSessions(deps: QuietSessionsDeps): QuietSessions {
  const { jobs, jobQueue, evaluations, liveEvaluators, tracesOf, notify, now } = deps
  const kind = jobs.handle<QuietSession>('session.judge', judgeIfQuiet, { attemptsMax: undefined })

  const enqueue = async (
    workspaceId: string,
    watches: readonly Omit<QuietSession, 'period'>[],
    start: Date,
  ) => {
    const newJobs = watches.map((watch) => {
      const dueAt = new Date(start.getTime() + watch.quietMs)
      const session = { ...watch, period: periodOf(dueAt, watch.quietMs) }
      return kind.newJob(session, { workspaceId, key: keyOf(workspaceId, session), dueAt })
    })
    if (newJobs.length === 0) return
    await jobQueue.enqueue(newJobs, now())
    jobs.notify()
  }

  async function judgeIfQuiet(watch: QuietSession, { workspaceId = '' }: JobContext): Promise<JobResult> {
    const { evaluatorSlug, sessionId, period } = watch
    const evaluator = (await liveEvaluators()).get(workspaceId)?.find(({ slug }) => slug === evaluatorSlug)
    const rule = evaluator && readLiveRule(evaluator.liveRule)
    if (evaluator === undefined || rule?.subject !== 'session') return { type: 'done' }
    const end = await tracesOf(workspaceId).sessionEnd(sessionId)
    if (end === undefined) return { type: 'done' }
    const time = now()
    const quietMs = quietMsOf(rule)
    const dueAt = new Date(end.receivedAt.getTime() + quietMs)
    if (dueAt > time) {
      // Another job for the same period would be this same job.
      if (quietMs === watch.quietMs && periodOf(dueAt, quietMs) === period) return { type: 'again', dueAt }
      await enqueue(workspaceId, [{ evaluatorSlug, sessionId, quietMs }], end.receivedAt)
      return { type: 'done' }
    }
    const reference = { logId: undefined, evaluatorSlug, digest: `session ${end.digest}` }
    const { traceId } = end
    const target = modelOf(evaluator)
    const added = newEvaluation({ workspaceId, traceId }, reference, { ...evaluator, target }, sessionId)
    await evaluations.add([added], { now: time, deadlineAt: new Date(time.getTime() + deadlineMs) })
    notify()
    return { type: 'done' }
  }

  return {
    async watch(samples) {
      const candidates = samples.filter(({ liveDigest }) => liveDigest !== undefined)
      if (candidates.length === 0) return
      const evaluators = await liveEvaluators()
      for (const [workspaceId, traces] of Map.groupBy(candidates, (trace) => trace.workspaceId)) {
        const traceIds = traces.map(({ traceId }) => traceId)
        for (const evaluator of evaluators.get(workspaceId) ?? [])
          await enqueue(workspaceId, await watchesOf(evaluator, traceIds, workspaceId, deps), now())
      }
    },
  }
}

/** The sessions among some traces that match an evaluator's rule. */
async function watchesOf(
  { slug: evaluatorSlug, liveRule }: LiveEvaluator,
  traceIds: readonly string[],
  workspaceId: string,
  { tracesOf, logger }: QuietSessionsDeps,
): Promise<Omit<QuietSession, 'period'>[]> {
  const rule = readLiveRule(liveRule)
  if (rule.subject !== 'session') return []
  const selection = readableSelection(rule, evaluatorSlug, logger)
  if (selection === undefined) return []
  const sessionIds = await tracesOf(workspaceId).liveSessions(traceIds, selection.filters)
  return sessionIds
    .filter((sessionId) => isSampled(sessionId, rule.sampleRate))
    .map((sessionId) => ({ evaluatorSlug, sessionId, quietMs: quietMsOf(rule) }))
}

const periodOf = (dueAt: Date, quietMs: number): number => Math.floor(dueAt.getTime() / quietMs)

const keyOf = (workspaceId: string, { evaluatorSlug, sessionId, quietMs, period }: QuietSession): string =>
  JSON.stringify([workspaceId, evaluatorSlug, quietMs, period, sessionId])
