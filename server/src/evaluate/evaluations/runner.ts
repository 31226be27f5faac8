/**
 * Runs the queue of evaluations on this node: enqueues sampled traces, polls the concurrency groups with due evaluations,
 * claims what their limits allow, and passes the results to the writer.
 */
import type { ConcurrencyGroup, Evaluation, EvaluationQueue, GroupKey } from '@plumbline/storage/control'
import type { Logger } from 'pino'
import { makePoller, type Poller } from '../../jobs/poller.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import type { AttemptResult } from './attempt-result.ts'
import type { Backpressure } from './backpressure.ts'
import { makeLoadInput } from './evaluation-input.ts'
import type { HealthProber } from './health-prober.ts'
import type { Judge } from './judge.ts'
import { judgeBatch } from './judge-batch.ts'
import { deadlineMs, leaseMs } from './retry-policy.ts'
import { attemptEvaluation } from './try-evaluation.ts'
import type { VerdictWriter } from './verdict-writer.ts'

interface RunnerParts {
  readonly queue: EvaluationQueue
  readonly writer: VerdictWriter
  readonly workspaceOf: (workspaceId: string) => Workspace
  readonly judge: Judge
  readonly probeHealth: HealthProber
  /** Enqueues OpenTelemetry traces that have settled. */
  readonly queueSettled: () => Promise<void>
  /** Enqueues one arrival of sampled traces; false when none is left. */
  readonly enqueueNextArrival: () => Promise<boolean>
  readonly backpressure: Backpressure
  readonly leaseOwner: string
  /** Aborts model calls in progress. */
  readonly abort: AbortController
  readonly logger: Logger
  readonly now: () => Date
}

/** Concurrency groups polled per tick. */
const groupsMax = 200
/** Evaluations per claim: rules are quick, models wait for their provider. */
const batchSizes = { rules: 300, models: 64 }
/** Code evaluations per workspace that run or wait for a thread. */
const codeMax = 8
/** Concurrent evaluations per connection, unless the connection sets its own limit. */
const concurrencyMax = 8
const sweepMs = 60_000

export function makeRunner(parts: RunnerParts): Poller {
  const { queue, writer, backpressure, abort, logger, now } = parts
  const underWay = new Set<Promise<void>>()
  /** Code evaluations in progress, by workspace. */
  const codeUnderWay = new Map<string, number>()
  let hasStarted = false
  let sweptAtMs = Number.NEGATIVE_INFINITY

  /** Recovers the evaluations that an earlier process or another node left behind. */
  const sweep = async (): Promise<void> => {
    const time = now()
    if (time.getTime() - sweptAtMs < sweepMs) return
    if (!hasStarted) await queue.reclaim({ leaseOwner: parts.leaseOwner }, time)
    hasStarted = true
    await queue.reclaim({ expiredAt: time }, time)
    await writer.storeUnstored()
    while (await queue.failLate(new Date(time.getTime() - deadlineMs), time));
    sweptAtMs = time.getTime()
  }

  /** Enqueues all arrivals, or only one while requests need the thread. */
  const enqueueArrivals = async (): Promise<void> => {
    while (!poller.isStopped() && (await parts.enqueueNextArrival())) {
      if (backpressure.isNeeded()) return
      await yieldToRequests()
    }
  }

  const runModelGroup = async (group: ConcurrencyGroup): Promise<void> => {
    if (!group.isProbed) {
      const probing = parts.probeHealth(group)?.then(notifyUnlessStopped)
      if (probing !== undefined) track(probing)
      return
    }
    const evaluations = await claim(group, batchSizes.models)
    track(judgeTogether(group, evaluations))
  }

  const notifyUnlessStopped = (): void => {
    if (!poller.isStopped()) poller.notify()
  }

  const runCodeGroup = async (group: ConcurrencyGroup): Promise<void> => {
    const { workspaceId } = group
    const before = codeUnderWay.get(workspaceId) ?? 0
    if (before >= codeMax) return
    const evaluations = await claim(group, codeMax - before)
    codeUnderWay.set(workspaceId, before + evaluations.length)
    const onEnded = (): void => {
      codeUnderWay.set(workspaceId, (codeUnderWay.get(workspaceId) ?? 0) - 1)
    }
    track(judgeTogether(group, evaluations, onEnded))
  }

  const claim = async (group: GroupKey, limit: number): Promise<Evaluation[]> => {
    const time = now()
    const { evaluations, blocked: open } = await queue.claim(group, {
      leaseOwner: parts.leaseOwner,
      limit,
      leaseExpiresAt: new Date(time.getTime() + leaseMs),
      now: time,
      concurrencyMax,
    })
    if (open !== undefined) await queue.openCircuit(group, { ...open, now: time })
    return evaluations
  }

  const track = (work: Promise<void>): void => {
    const tracked = work.finally(() => underWay.delete(tracked))
    underWay.add(tracked)
  }

  const makeContext = (group: GroupKey, evaluations: readonly Evaluation[]) => {
    const workspace = parts.workspaceOf(group.workspaceId)
    const loadInput = makeLoadInput(evaluations, workspace)
    return { judge: parts.judge, workspace, loadInput, signal: abort.signal, now }
  }

  /** Runs evaluations that wait for a provider or a thread; each result is applied as soon as it is there. */
  const judgeTogether = async (
    group: ConcurrencyGroup,
    evaluations: readonly Evaluation[],
    onEnded: () => void = () => {},
  ): Promise<void> => {
    if (evaluations.length === 0) return
    const context = makeContext(group, evaluations)
    await Promise.all(
      evaluations.map(async (evaluation) => {
        const result = await attemptEvaluation(evaluation, context)
        onEnded()
        // An evaluation that stopping interrupted goes back to the queue.
        if (!poller.isStopped()) await applyResult(group, result)
      }),
    )
  }

  const judgeRules = async (group: ConcurrencyGroup): Promise<void> => {
    const evaluations = await claim(group, batchSizes.rules)
    if (evaluations.length === 0) return
    const context = makeContext(group, evaluations)
    const updates = await judgeBatch(evaluations, {
      attempt: async (evaluation) => (await attemptEvaluation(evaluation, context)).update,
      isStopped: poller.isStopped,
    })
    for (const update of updates) writer.add(update)
    await writer.flush()
  }

  const applyResult = async (group: ConcurrencyGroup, { update, circuit }: AttemptResult): Promise<void> => {
    const time = now()
    try {
      if (circuit?.type === 'open') await queue.openCircuit(group, { ...circuit, now: time })
      if (circuit?.type === 'half-open') await queue.requireProbe(group)
      if (circuit?.type === 'closed' && group.problems > 0) await queue.clearProblems(group, time)
    } catch (error) {
      // The next result changes the circuit; this one must not be lost.
      logger.warn({ err: error }, 'the circuit breaker of an evaluation group could not be updated')
    }
    writer.add(update)
  }

  const poller = makePoller({
    async tick() {
      // The embedded engine's statements complete synchronously, so nothing else in a tick yields to requests.
      await yieldToRequests()
      await sweep()
      await parts.queueSettled()
      const isPaused = now().getTime() < backpressure.pausedUntilMs()
      let workedMs = isPaused ? 0 : await measureMs(enqueueArrivals)
      for (const group of await queue.dueGroups(now(), groupsMax)) {
        if (poller.isStopped()) return undefined
        if (group.target !== undefined) await runModelGroup(group)
        else if (group.isCode) await runCodeGroup(group)
        // One batch of rules per group and tick, since they are read and written on the request thread.
        else if (!isPaused) workedMs += await measureMs(() => judgeRules(group))
      }
      if (workedMs > 0) backpressure.reportWork(workedMs)
      const nextMs = await queue.nextDueMs()
      return nextMs === undefined ? undefined : new Date(Math.max(nextMs, backpressure.pausedUntilMs()))
    },
    subject: 'the queue of evaluations',
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
      await writer.flush()
      // The next start reclaims them in any case.
      await queue.reclaim({ leaseOwner: parts.leaseOwner }, now()).catch(() => undefined)
    },
  }
}

/** The elapsed time of some work, including what it awaits. */
async function measureMs(work: () => Promise<void>): Promise<number> {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}

const yieldToRequests = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
