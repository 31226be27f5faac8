/** Runs waiting experiment cases on this node, within the limits of their runs and connections. */
import { setTimeout as pause } from 'node:timers/promises'
import type {
  AssemblyStore,
  ClaimedCase,
  Experiment,
  ExperimentRun,
  ExperimentRunQueue,
} from '@plumbline/storage/control'
import type { Logger } from 'pino'
import { makePoller, type Poller } from '../../jobs/poller.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { attemptsMax, leaseMs } from '../evaluations/retry-policy.ts'
import { caseIds } from './case-ids.ts'
import type { CaseAttempt } from './try-case.ts'

interface RunnerParts {
  readonly queue: ExperimentRunQueue
  readonly counters: Pick<AssemblyStore, 'addArrivals'>
  readonly workspaceOf: (workspaceId: string) => Workspace
  readonly attemptCase: (
    run: ExperimentRun,
    experiment: Experiment,
    experimentCase: ClaimedCase,
    workspace: Workspace,
    signal: AbortSignal,
  ) => Promise<CaseAttempt>
  /** Runs at startup and then every minute. */
  readonly resumeJoins: () => Promise<void>
  readonly leaseOwner: string
  readonly logger: Logger
  readonly now: () => Date
}

/** Runs polled per tick, and cases claimed at once per run. */
const runsMax = 50
const batchMax = 64
/** Concurrent calls per connection, evaluations included, unless the connection sets its own limit. */
const concurrencyMax = 8
const sweepMs = 60_000
/** Retries for persisting a result, so that a short outage of the control plane does not lose it. */
const writeBackoffMs = [100, 500, 2000, 5000]

export function makeRunner(parts: RunnerParts): Poller {
  const { queue, logger, now, leaseOwner } = parts
  const abort = new AbortController()
  const underWay = new Set<Promise<void>>()
  let hasStarted = false
  let sweptAtMs = Number.NEGATIVE_INFINITY

  const sweep = async (): Promise<void> => {
    const time = now()
    if (time.getTime() - sweptAtMs < sweepMs) return
    if (!hasStarted) await queue.reclaim({ leaseOwner }, time)
    hasStarted = true
    await queue.reclaim({ expiredAt: time }, time)
    await parts.resumeJoins()
    sweptAtMs = time.getTime()
  }

  const claimCases = async (run: ExperimentRun): Promise<void> => {
    const time = now()
    const leaseExpiresAt = new Date(time.getTime() + leaseMs)
    const claimed = await queue.claim(run, {
      leaseOwner,
      limit: batchMax,
      leaseExpiresAt,
      now: time,
      concurrencyMax,
    })
    if (claimed.length === 0) return
    const workspace = parts.workspaceOf(run.workspaceId)
    const experiment = await workspace.experiments.find(run.experimentId)
    await parts.counters.addArrivals(
      claimed.map((experimentCase) => toArrival(run, experimentCase)),
      time,
    )
    for (const experimentCase of claimed) track(runCase(run, experiment, experimentCase, workspace))
  }

  const runCase = async (
    run: ExperimentRun,
    experiment: Experiment | undefined,
    experimentCase: ClaimedCase,
    workspace: Workspace,
  ): Promise<void> => {
    try {
      const attempt =
        experiment === undefined
          ? toFailure(experimentCase, 'The experiment was deleted.')
          : // More claims than failed attempts are allowed: the process died or was stopped each time.
            experimentCase.attempts > attemptsMax
            ? toFailure(experimentCase, experimentCase.problem ?? 'The service stopped each time.')
            : await parts.attemptCase(run, experiment, experimentCase, workspace, abort.signal)
      // If the runner is stopping, the interrupted case goes back to the queue.
      if (poller.isStopped() && attempt.update.type !== 'done') return
      if (attempt.backoff !== undefined) await queue.openCircuit(run.id, { ...attempt.backoff, now: now() })
      await retryWrite(() => queue.finish(run, attempt.update, { leaseOwner, now: now() }))
      if (attempt.update.type === 'done' && run.problems > 0) await queue.clearProblems(run.id, now())
    } catch (error) {
      logger.warn({ err: error, run: run.id }, 'the result of an experiment case could not be persisted')
    }
  }

  const track = (work: Promise<void>): void => {
    const tracked = work.finally(() => {
      underWay.delete(tracked)
      if (!poller.isStopped()) poller.notify()
    })
    underWay.add(tracked)
  }

  const poller = makePoller({
    async tick() {
      await sweep()
      for (const run of await queue.openRuns(now(), runsMax)) {
        if (poller.isStopped()) return undefined
        await claimCases(run)
      }
      const next = await queue.nextDueMs()
      return next === undefined ? undefined : new Date(next)
    },
    subject: 'the experiment runs',
    logger,
    now,
  })

  return {
    ...poller,
    async stop() {
      const stopped = poller.stop()
      abort.abort()
      await stopped
      await Promise.all(underWay)
      // If this fails, the next start reclaims them.
      await queue.reclaim({ leaseOwner }, now()).catch(() => undefined)
    },
  }
}

/** Registers the trace before it is recorded, so that it has the case's id no matter who records it first. */
const toArrival = (run: ExperimentRun, experimentCase: ClaimedCase) => ({
  workspaceId: run.workspaceId,
  otelTraceId: caseIds(run, experimentCase).otelTraceId,
  firstAtMs: run.createdAt.getTime(),
  lastAtMs: run.createdAt.getTime(),
  spans: 0,
  hasEndedRoot: false,
})

const toFailure = (experimentCase: ClaimedCase, problem: string): CaseAttempt => ({
  update: { experimentCase, type: 'failed', problem, cost: undefined, durationMs: undefined },
})

async function retryWrite(work: () => Promise<void>): Promise<void> {
  for (const pauseMs of writeBackoffMs) {
    try {
      return await work()
    } catch {
      // Retried; the last attempt below rejects.
      await pause(pauseMs)
    }
  }
  await work()
}
