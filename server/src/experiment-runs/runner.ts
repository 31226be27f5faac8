/** Runs the cases of experiments that wait, on this node: as many as their runs and connections allow. */
import type {
  AssemblyBooks,
  BegunCase,
  Experiment,
  ExperimentRun,
  ExperimentRunQueue,
} from '@plumbline/storage/control'
import type { Logger } from 'pino'
import { attemptsMax, leaseMs } from '../evaluations/pace.ts'
import { makePoller, type Poller } from '../poller.ts'
import type { Workspace } from '../workspace.ts'
import { caseIds } from './case-ids.ts'
import type { TriedCase } from './try-case.ts'

interface RunnerParts {
  readonly queue: ExperimentRunQueue
  readonly books: Pick<AssemblyBooks, 'addArrivals'>
  readonly workspaceOf: (workspaceId: string) => Workspace
  readonly tryCase: (
    run: ExperimentRun,
    experiment: Experiment,
    of: BegunCase,
    workspace: Workspace,
    signal: AbortSignal,
  ) => Promise<TriedCase>
  /** Done at the start and then each minute. */
  readonly carryOn: () => Promise<void>
  readonly holder: string
  readonly logger: Logger
  readonly now: () => Date
}

/** Runs that are looked at in one round, and cases of one that are begun at once. */
const runsMax = 50
const batchMax = 64
/** Cases that ask one connection at a time unless it states otherwise; judging counts as well. */
const concurrencyMax = 8
const sweepMs = 60_000
/** What a case came to is not given up because the control plane is away for a while. */
const writePausesMs = [100, 500, 2000, 5000]

export function makeRunner(parts: RunnerParts): Poller {
  const { queue, logger, now, holder } = parts
  const abort = new AbortController()
  const underWay = new Set<Promise<void>>()
  let hasBegun = false
  let sweptAtMs = Number.NEGATIVE_INFINITY

  const sweep = async (): Promise<void> => {
    const at = now()
    if (at.getTime() - sweptAtMs < sweepMs) return
    if (!hasBegun) await queue.takeBack({ holder }, at)
    hasBegun = true
    await queue.takeBack({ lostBefore: at }, at)
    await parts.carryOn()
    sweptAtMs = at.getTime()
  }

  const look = async (run: ExperimentRun): Promise<void> => {
    const at = now()
    const lostAt = new Date(at.getTime() + leaseMs)
    const begun = await queue.begin(run, { holder, limit: batchMax, lostAt, now: at, concurrencyMax })
    if (begun.length === 0) return
    const workspace = parts.workspaceOf(run.workspaceId)
    const experiment = await workspace.experiments.find(run.experimentId)
    await parts.books.addArrivals(
      begun.map((of) => arrivalOf(run, of)),
      at,
    )
    for (const of of begun) track(runCase(run, experiment, of, workspace))
  }

  const runCase = async (
    run: ExperimentRun,
    experiment: Experiment | undefined,
    of: BegunCase,
    workspace: Workspace,
  ): Promise<void> => {
    try {
      const tried =
        experiment === undefined
          ? failed(of, 'The experiment was deleted.')
          : // It was begun more often than it may fail, so each time the process died of it, or was stopped.
            of.attempts > attemptsMax
            ? failed(of, of.problem ?? 'The service stopped each time.')
            : await parts.tryCase(run, experiment, of, workspace, abort.signal)
      // What was cut short by stopping waits again.
      if (rounds.isStopped() && tried.outcome.type !== 'done') return
      if (tried.hold !== undefined) await queue.hold(run.id, { ...tried.hold, now: now() })
      await persistently(() => queue.finish(run, tried.outcome, { holder, now: now() }))
      if (tried.outcome.type === 'done' && run.problems > 0) await queue.recover(run.id, now())
    } catch (error) {
      logger.warn(
        { err: error, run: run.id },
        'what a case of an experiment came to could not be written down',
      )
    }
  }

  const persistently = async (work: () => Promise<void>): Promise<void> => {
    for (const pauseMs of writePausesMs) {
      try {
        return await work()
      } catch {
        // Tried again, and told of when it fails for good.
        await new Promise((resolve) => setTimeout(resolve, pauseMs))
      }
    }
    await work()
  }

  const track = (work: Promise<void>): void => {
    const tracked = work.finally(() => {
      underWay.delete(tracked)
      if (!rounds.isStopped()) rounds.notify()
    })
    underWay.add(tracked)
  }

  const rounds = makePoller({
    async tick() {
      await sweep()
      for (const run of await queue.openRuns(now(), runsMax)) {
        if (rounds.isStopped()) return undefined
        await look(run)
      }
      const next = await queue.nextDueMs()
      return next === undefined ? undefined : new Date(next)
    },
    subject: 'the runs of experiments',
    logger,
    now,
  })

  return {
    ...rounds,
    async stop() {
      const stopped = rounds.stop()
      abort.abort()
      await stopped
      await Promise.all(underWay)
      // At the next start they are taken back in any case.
      await queue.takeBack({ holder }, now()).catch(() => undefined)
    },
  }
}

/** The trace of a case is known before it comes, so that its id is that of the case whoever is the first to record it. */
const arrivalOf = (run: ExperimentRun, of: BegunCase) => ({
  workspaceId: run.workspaceId,
  otelTraceId: caseIds(run, of).otelTraceId,
  firstAtMs: run.createdAt.getTime(),
  lastAtMs: run.createdAt.getTime(),
  spans: 0,
  hasEndedRoot: false,
})

const failed = (of: BegunCase, problem: string): TriedCase => ({
  outcome: { of, type: 'failed', problem, cost: undefined, durationMs: undefined },
})
