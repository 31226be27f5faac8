/**
 * Runs the queue of evaluations on this node: looks at the lanes in which something is due, begins what they allow,
 * and hands on what came of it. Recording goes first: rules judge little while much of it is under way.
 */
import type { Evaluation, EvaluationQueue, Lane, Outcome } from '@plumbline/storage/control'
import { lateProblem } from '@plumbline/storage/control'
import type { Logger } from 'pino'
import type { OpenModel } from '../connections/models.ts'
import { subjectOfLog, subjectOfTrace } from '../evaluators/rules/subject.ts'
import { toStoredTrace } from '../traces/view.ts'
import type { Workspace } from '../workspace.ts'
import type { Judge } from './judge.ts'
import { outcomeOf, outcomeOfError, type Tried, triedEnough } from './outcome.ts'
import { attemptsMax, deadlineMs, leaseMs, probePauseAfter } from './pace.ts'
import { probe } from './probe.ts'
import type { VerdictWriter } from './verdict-writer.ts'

interface RunnerParts {
  readonly queue: EvaluationQueue
  readonly writer: VerdictWriter
  readonly workspaceOf: (workspaceId: string) => Workspace
  readonly judge: Judge
  readonly openModel: OpenModel
  /** Puts traces of OpenTelemetry that have settled into the queue. */
  readonly queueSettled: () => Promise<void>
  /** Records that are on their way to the trace store. */
  readonly pendingRecords: () => number
  readonly holder: string
  readonly logger: Logger
  readonly now: () => Date
}

export interface Runner {
  /** Says that something may be due. */
  wake(): void
  /** Ends calls that are under way; what was not judged waits again. */
  stop(): Promise<void>
}

/** Lanes that are looked at in one round. */
const lanesMax = 200
/** Begun at once: of rules, which are quick, and of models, which wait for their provider. */
const batchOf = { rules: 100, models: 64 }
/** Judgements that a connection is asked for at a time unless it states otherwise. */
const concurrencyMax = 8
/** Other nodes, and clocks, bring about that something is due. */
const lookMs = 1000
const sweepMs = 60_000
/** Beyond it, rules rest after each batch, so many times as long as the batch took. */
const busyRecords = 500
const restFactor = 9
/** At least so long, since a batch is written down after it was judged. */
const restMsMin = 2000

export function makeRunner(parts: RunnerParts): Runner {
  const { queue, writer, logger, now } = parts
  const abort = new AbortController()
  const underWay = new Set<Promise<void>>()
  const probing = new Set<string>()
  let round: Promise<void> | undefined
  let isAwake = false
  let isStopped = false
  let hasBegun = false
  let sweptAtMs = Number.NEGATIVE_INFINITY
  let rulesRestUntilMs = 0
  let timer: NodeJS.Timeout | undefined

  const wakeIn = (ms: number): void => {
    clearTimeout(timer)
    if (!isStopped) timer = setTimeout(wake, ms).unref()
  }

  const wake = (): void => {
    isAwake = true
    if (isStopped || round !== undefined) return
    round = run().finally(() => {
      round = undefined
      if (isAwake) wake()
    })
  }

  const run = async (): Promise<void> => {
    isAwake = false
    try {
      await sweep()
      await parts.queueSettled()
      for (const lane of await queue.openLanes(now(), lanesMax)) {
        if (isStopped) return
        await look(lane)
      }
      wakeIn(
        Math.max(0, Math.min(lookMs, ((await queue.nextDueMs()) ?? Infinity) - now().getTime()) || lookMs),
      )
    } catch (error) {
      logger.warn({ err: error }, 'the queue of evaluations could not be looked at')
      wakeIn(lookMs)
    }
  }

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

  const look = async (lane: Lane): Promise<void> => {
    if (!lane.isProbed) return startProbe(lane)
    const { asked } = lane
    if (asked === undefined && now().getTime() < rulesRestUntilMs) return
    const at = now()
    const { evaluations, held } = await queue.begin(lane, {
      holder: parts.holder,
      limit: asked === undefined ? batchOf.rules : batchOf.models,
      lostAt: new Date(at.getTime() + leaseMs),
      now: at,
      concurrencyMax,
    })
    if (held !== undefined) await queue.hold(lane, { ...held, now: at })
    if (evaluations.length === 0) return
    const work = judgeAll(lane, evaluations)
    if (asked !== undefined) return track(work)
    // One batch of rules at a time: they are judged on the thread of requests.
    const startedAt = performance.now()
    await work
    if (parts.pendingRecords() > busyRecords)
      rulesRestUntilMs = now().getTime() + Math.max(restMsMin, restFactor * (performance.now() - startedAt))
  }

  const track = (work: Promise<void>): void => {
    const tracked = work.finally(() => underWay.delete(tracked))
    underWay.add(tracked)
  }

  const judgeAll = async (lane: Lane, evaluations: readonly Evaluation[]): Promise<void> => {
    const workspace = parts.workspaceOf(lane.workspaceId)
    const judged = makeJudged(evaluations, workspace)
    const one = async (evaluation: Evaluation): Promise<void> => {
      const tried = await tryOne(evaluation, workspace, judged)
      // What was cut short by stopping waits again.
      if (!isStopped) await handOn(lane, tried)
    }
    if (lane.asked !== undefined) return void (await Promise.all(evaluations.map(one)))
    for (const evaluation of evaluations) {
      if (isStopped) return
      await one(evaluation)
      // Requests go first.
      await new Promise(setImmediate)
    }
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

  const tryOne = async (of: Evaluation, workspace: Workspace, judged: JudgedOf): Promise<Tried> => {
    const at = now()
    if (of.deadlineAt < at) return { outcome: failed(of, `${lateProblem} ${of.problem ?? ''}`.trim()) }
    // It was begun more often than it may fail, so each time the process died of it, or was stopped.
    if (of.attempts > attemptsMax)
      return { outcome: failed(of, triedEnough(of.problem ?? 'The service stopped each time.')) }
    try {
      const found = await judged(of)
      if ('problem' in found) return { outcome: failed(of, found.problem) }
      const context = { workspace, signal: abort.signal, now }
      const said = await parts.judge(found.by, found.subject, context)
      return outcomeOf(of, said, { now: now(), chance: Math.random() })
    } catch (error) {
      return outcomeOfError(of, error, { now: now(), chance: Math.random() })
    }
  }

  const startProbe = (lane: Lane): void => {
    const { asked, workspaceId } = lane
    const key = JSON.stringify([workspaceId, asked])
    if (asked === undefined || probing.has(key)) return
    probing.add(key)
    const work = async (): Promise<void> => {
      try {
        const { signal } = abort
        const workspace = parts.workspaceOf(workspaceId)
        const { problem, cost } = await probe(asked, workspace, { openModel: parts.openModel, signal, now })
        const at = now()
        if (cost > 0) await queue.addCost(lane, cost, at)
        const until = new Date(at.getTime() + probePauseAfter(lane.problems + 1, Math.random()))
        if (problem === undefined) await queue.pass(lane, at)
        else if (!isStopped) await queue.hold(lane, { until, problem, now: at })
      } catch (error) {
        logger.warn({ err: error }, 'a model that judges could not be probed')
      } finally {
        probing.delete(key)
        if (!isStopped) wake()
      }
    }
    track(work())
  }

  return {
    wake,
    async stop() {
      isStopped = true
      clearTimeout(timer)
      abort.abort()
      await round
      await Promise.all(underWay)
      await writer.flush()
      // At the next start they are taken back in any case.
      await queue.takeBack({ holder: parts.holder }, now()).catch(() => undefined)
    },
  }
}

const failed = (of: Evaluation, problem: string): Outcome => ({ of, type: 'failed', problem })

type Found =
  | { readonly by: { readonly kind: string; readonly config: string }; readonly subject: SubjectOfTrace }
  | { readonly problem: string }
type SubjectOfTrace = ReturnType<typeof subjectOfTrace>
type JudgedOf = (of: Evaluation) => Promise<Found>

/** What a batch judges, and by what: the traces are read together, and each version once. */
function makeJudged(evaluations: readonly Evaluation[], workspace: Workspace): JudgedOf {
  const traces = workspace.traces.findMany([...new Set(evaluations.map(({ traceId }) => traceId))])
  // A store that is away is told of to each that waits for it.
  traces.catch(() => {})
  const versions = new Map<string, ReturnType<Workspace['evaluators']['findVersion']>>()
  return async ({ traceId, logId, evaluatorSlug: slug, evaluatorVersion: version }) => {
    const key = `${slug} ${version}`
    const by = versions.get(key) ?? workspace.evaluators.findVersion(slug, version)
    versions.set(key, by)
    const [found, judgedBy] = await Promise.all([traces.then((all) => all.get(traceId)), by])
    if (judgedBy === undefined) return { problem: `The evaluator "${slug}" was deleted.` }
    if (found === undefined) return { problem: 'The trace is no longer there.' }
    const trace = toStoredTrace({ ...found, scores: [] })
    const subject = logId === undefined ? subjectOfTrace(trace) : subjectOfLog(trace, logId)
    return subject === undefined
      ? { problem: `The trace has no log "${logId}" any more.` }
      : { by: judgedBy, subject }
  }
}
