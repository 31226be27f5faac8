/**
 * Runs the queue of evaluations on this node: takes in what was drawn, looks at the lanes in which something is due,
 * begins what they allow, and hands on what came of it.
 */
import type { Evaluation, EvaluationQueue, Lane, LaneKey } from '@plumbline/storage/control'
import type { Logger } from 'pino'
import { makePoller, type Poller } from '../poller.ts'
import type { Workspace } from '../workspace.ts'
import type { Judge } from './judge.ts'
import { judgeBatch } from './judge-batch.ts'
import { makeFindJudged } from './judged.ts'
import type { Tried } from './outcome.ts'
import { deadlineMs, leaseMs } from './pace.ts'
import type { Probing } from './probing.ts'
import type { Rest } from './rest.ts'
import { tryEvaluation } from './try-evaluation.ts'
import type { VerdictWriter } from './verdict-writer.ts'

interface RunnerParts {
  readonly queue: EvaluationQueue
  readonly writer: VerdictWriter
  readonly workspaceOf: (workspaceId: string) => Workspace
  readonly judge: Judge
  readonly probing: Probing
  /** Puts traces of OpenTelemetry that have settled into the queue. */
  readonly queueSettled: () => Promise<void>
  /** Puts a piece of what was drawn into the queue; false where nothing is left. */
  readonly takeIn: () => Promise<boolean>
  readonly rest: Rest
  readonly holder: string
  /** Ends calls of models that are under way. */
  readonly abort: AbortController
  readonly logger: Logger
  readonly now: () => Date
}

/** Lanes that are looked at in one round. */
const lanesMax = 200
/** Begun at once: of rules, which are quick, and of models, which wait for their provider. */
const batchOf = { rules: 300, models: 64 }
/** Code that is under way or waits for a thread, of a workspace. */
const codeMax = 8
/** Judgements that a connection is asked for at a time unless it states otherwise. */
const concurrencyMax = 8
const sweepMs = 60_000

export function makeRunner(parts: RunnerParts): Poller {
  const { queue, writer, rest, abort, logger, now } = parts
  const underWay = new Set<Promise<void>>()
  /** Of code, by workspace. */
  const codeUnderWay = new Map<string, number>()
  let hasBegun = false
  let sweptAtMs = Number.NEGATIVE_INFINITY

  /** What the process before this one, or another node, has left. */
  const sweep = async (): Promise<void> => {
    const at = now()
    if (at.getTime() - sweptAtMs < sweepMs) return
    if (!hasBegun) await queue.takeBack({ holder: parts.holder }, at)
    hasBegun = true
    await queue.takeBack({ lostBefore: at }, at)
    await writer.storeLeft()
    while (await queue.failLate(new Date(at.getTime() - deadlineMs), at));
    sweptAtMs = at.getTime()
  }

  /** All that was drawn, or a piece of it where others go first. */
  const takeIn = async (): Promise<void> => {
    while (!rounds.isStopped() && (await parts.takeIn())) {
      if (rest.isDue()) return
      await requestsFirst()
    }
  }

  const lookAtModel = async (lane: Lane): Promise<void> => {
    if (!lane.isProbed) {
      const probed = parts.probing(lane)?.then(wakeUnlessStopped)
      if (probed !== undefined) track(probed)
      return
    }
    const evaluations = await begin(lane, batchOf.models)
    track(judgeTogether(lane, evaluations))
  }

  const wakeUnlessStopped = (): void => {
    if (!rounds.isStopped()) rounds.notify()
  }

  const lookAtCode = async (lane: Lane): Promise<void> => {
    const { workspaceId } = lane
    const before = codeUnderWay.get(workspaceId) ?? 0
    if (before >= codeMax) return
    const evaluations = await begin(lane, codeMax - before)
    codeUnderWay.set(workspaceId, before + evaluations.length)
    const ended = (): void => {
      codeUnderWay.set(workspaceId, (codeUnderWay.get(workspaceId) ?? 0) - 1)
    }
    track(judgeTogether(lane, evaluations, ended))
  }

  const begin = async (lane: LaneKey, limit: number): Promise<Evaluation[]> => {
    const at = now()
    const { evaluations, held } = await queue.begin(lane, {
      holder: parts.holder,
      limit,
      lostAt: new Date(at.getTime() + leaseMs),
      now: at,
      concurrencyMax,
    })
    if (held !== undefined) await queue.hold(lane, { ...held, now: at })
    return evaluations
  }

  const track = (work: Promise<void>): void => {
    const tracked = work.finally(() => underWay.delete(tracked))
    underWay.add(tracked)
  }

  const tryingOf = (lane: LaneKey, evaluations: readonly Evaluation[]) => {
    const workspace = parts.workspaceOf(lane.workspaceId)
    const findJudged = makeFindJudged(evaluations, workspace)
    return { judge: parts.judge, workspace, findJudged, signal: abort.signal, now }
  }

  /** What waits for a provider or a thread; each is handed on when it has ended. */
  const judgeTogether = async (
    lane: Lane,
    evaluations: readonly Evaluation[],
    onEnded: () => void = () => {},
  ): Promise<void> => {
    if (evaluations.length === 0) return
    const trying = tryingOf(lane, evaluations)
    await Promise.all(
      evaluations.map(async (evaluation) => {
        const tried = await tryEvaluation(evaluation, trying)
        onEnded()
        // What was cut short by stopping waits again.
        if (!rounds.isStopped()) await handOn(lane, tried)
      }),
    )
  }

  const judgeRules = async (lane: Lane): Promise<void> => {
    const evaluations = await begin(lane, batchOf.rules)
    if (evaluations.length === 0) return
    const trying = tryingOf(lane, evaluations)
    const outcomes = await judgeBatch(evaluations, {
      tryOne: async (of) => (await tryEvaluation(of, trying)).outcome,
      isStopped: rounds.isStopped,
    })
    for (const outcome of outcomes) writer.add(outcome)
    await writer.flush()
  }

  const handOn = async (lane: Lane, { outcome, lane: next }: Tried): Promise<void> => {
    const at = now()
    try {
      if (next?.type === 'hold') await queue.hold(lane, { ...next, now: at })
      if (next?.type === 'doubt') await queue.doubt(lane)
      if (next?.type === 'works' && lane.problems > 0) await queue.recover(lane, at)
    } catch (error) {
      // The lane is held the next time; what came of the evaluation must not be lost for it.
      logger.warn({ err: error }, 'a lane of evaluations could not be changed')
    }
    writer.add(outcome)
  }

  const rounds = makePoller({
    async tick() {
      // Statements of the embedded engine end at once, so nothing else in a round may let others in.
      await requestsFirst()
      await sweep()
      await parts.queueSettled()
      const isResting = now().getTime() < rest.untilMs()
      let workedMs = isResting ? 0 : await timed(takeIn)
      for (const lane of await queue.openLanes(now(), lanesMax)) {
        if (rounds.isStopped()) return undefined
        if (lane.asked !== undefined) await lookAtModel(lane)
        else if (lane.isCode) await lookAtCode(lane)
        // One batch of rules at a time, of each lane in turn: they are read and written on the thread of requests.
        else if (!isResting) workedMs += await timed(() => judgeRules(lane))
      }
      if (workedMs > 0) rest.worked(workedMs)
      const nextMs = await queue.nextDueMs()
      return nextMs === undefined ? undefined : new Date(Math.max(nextMs, rest.untilMs()))
    },
    subject: 'the queue of evaluations',
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
      await writer.flush()
      // At the next start they are taken back in any case.
      await queue.takeBack({ holder: parts.holder }, now()).catch(() => undefined)
    },
  }
}

/** How long some work takes, with what it waits for. */
async function timed(work: () => Promise<void>): Promise<number> {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}

const requestsFirst = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
