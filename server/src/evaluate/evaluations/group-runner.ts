/** Runs the due evaluations of one concurrency group: claims what its limits allow, judges, and passes on the results. */
import type { ConcurrencyGroup, Evaluation, EvaluationQueue, GroupKey } from '@plumbline/storage/control'
import type { Logger } from 'pino'
import type { Workspace } from '../../workspace/workspace.ts'
import type { AttemptResult } from './attempt-result.ts'
import { makeLoadInput } from './evaluation-input.ts'
import type { HealthProber } from './health-prober.ts'
import type { Judge } from './judge.ts'
import { judgeBatch } from './judge-batch.ts'
import { leaseMs } from './retry-policy.ts'
import { attemptEvaluation } from './try-evaluation.ts'
import type { VerdictWriter } from './verdict-writer.ts'

export interface GroupRunnerParts {
  readonly queue: EvaluationQueue
  readonly writer: VerdictWriter
  readonly workspaceOf: (workspaceId: string) => Workspace
  readonly judge: Judge
  readonly probeHealth: HealthProber
  readonly leaseOwner: string
  /** Aborts model calls in progress. */
  readonly abort: AbortController
  readonly logger: Logger
  readonly now: () => Date
}

interface GroupRunner {
  runModelGroup(group: ConcurrencyGroup): Promise<void>
  runCodeGroup(group: ConcurrencyGroup): Promise<void>
  runRules(group: ConcurrencyGroup): Promise<void>
  /** Resolves once all started evaluations have ended. */
  ended(): Promise<void>
}

/** Evaluations per claim: rules are quick, models wait for their provider. */
const batchSizes = { rules: 300, models: 64 }
/** Code evaluations per workspace that run or wait for a thread. */
const codeMax = 8
/** Concurrent evaluations per connection, unless the connection sets its own limit. */
const concurrencyMax = 8

export function makeGroupRunner(
  parts: GroupRunnerParts,
  { isStopped, notify }: { readonly isStopped: () => boolean; readonly notify: () => void },
): GroupRunner {
  const { queue, writer, abort, now } = parts
  const underWay = new Set<Promise<void>>()
  /** Code evaluations in progress, by workspace. */
  const codeUnderWay = new Map<string, number>()

  const claim = async (group: GroupKey, limit: number): Promise<Evaluation[]> => {
    const time = now()
    const { evaluations, pause: open } = await queue.claim(group, {
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
    return { judge: parts.judge, workspace, loadInput, signal: abort.signal, now, logger: parts.logger }
  }

  /** Runs evaluations that wait for a provider or a thread; each result is applied as soon as it is available. */
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
        // If the runner is stopping, the interrupted evaluation goes back to the queue.
        if (!isStopped()) await applyResult(parts, group, result)
      }),
    )
  }

  return {
    async runModelGroup(group) {
      if (!group.isProbed) {
        const probing = parts.probeHealth(group)?.then(notify)
        if (probing !== undefined) track(probing)
        return
      }
      const evaluations = await claim(group, batchSizes.models)
      track(judgeTogether(group, evaluations))
    },
    async runCodeGroup(group) {
      const { workspaceId } = group
      const before = codeUnderWay.get(workspaceId) ?? 0
      if (before >= codeMax) return
      const evaluations = await claim(group, codeMax - before)
      codeUnderWay.set(workspaceId, before + evaluations.length)
      const onEnded = (): void => {
        codeUnderWay.set(workspaceId, (codeUnderWay.get(workspaceId) ?? 0) - 1)
      }
      track(judgeTogether(group, evaluations, onEnded))
    },
    async runRules(group) {
      const evaluations = await claim(group, batchSizes.rules)
      if (evaluations.length === 0) return
      const context = makeContext(group, evaluations)
      const updates = await judgeBatch(evaluations, {
        attempt: async (evaluation) => (await attemptEvaluation(evaluation, context)).update,
        isStopped,
      })
      for (const update of updates) writer.add(update)
      await writer.flush()
    },
    async ended() {
      await Promise.all(underWay)
    },
  }
}

/** Opens or closes the group's circuit breaker, and adds the result to those to be written. */
async function applyResult(
  { queue, writer, logger, now }: GroupRunnerParts,
  group: ConcurrencyGroup,
  { update, circuit }: AttemptResult,
): Promise<void> {
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
