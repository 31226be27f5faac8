/**
 * Persists evaluation updates in three steps: the verdict in the control plane, the score in the trace store, then the
 * mark that the score is stored. The insert token is persisted in the first step, so that a retry after a crash inserts
 * the same scores under the same token, and they are stored exactly once.
 */
import { randomUUID } from 'node:crypto'
import type { Evaluation, EvaluationQueue, EvaluationUpdate } from '@plumbline/storage/control'
import { type ScoreRow, type TraceStore, TraceStoreUnavailable } from '@plumbline/storage/traces'
import { encodeScores } from '@plumbline/storage/traces/rows'
import type { Logger } from 'pino'

interface WriterParts {
  readonly queue: EvaluationQueue
  readonly store: TraceStore
  /** Runs work while nothing else writes to the trace store and no backup runs. */
  readonly runExclusive: <Result>(work: () => Promise<Result>) => Promise<Result>
  readonly leaseOwner: string
  /** Called with the updates that were persisted. */
  readonly onWritten: (updates: readonly EvaluationUpdate[]) => void
  readonly logger: Logger
  readonly now: () => Date
}

export interface VerdictWriter {
  /** Persists the update soon, together with others. */
  add(update: EvaluationUpdate): void
  /** Stores scores missing from the trace store, left by an earlier process or an outage of the store. */
  storeUnstored(): Promise<void>
  /** Persists everything added so far. */
  flush(): Promise<void>
}

/** Outcomes added within this time are written together. */
const gatherMs = 20
const retryMs = 2000
/** After this time a node also stores the scores that another node left behind. */
const abandonedMs = 10 * 60_000
const noRows = Buffer.alloc(0)

export function makeVerdictWriter(parts: WriterParts): VerdictWriter {
  const { queue, leaseOwner, runExclusive, logger, now } = parts
  let pending: EvaluationUpdate[] = []
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | undefined

  const write = async (): Promise<void> => {
    const updates = pending
    pending = []
    if (updates.length === 0) return
    const token = `evaluations ${randomUUID()}`
    try {
      await runExclusive(async () => {
        const judged = await queue.finish(updates, { leaseOwner, token, now: now() })
        await storeScores(token, judged, parts).catch((error: unknown) => {
          // The verdicts are persisted; their scores are stored later.
          if (!(error instanceof TraceStoreUnavailable)) throw error
          logger.warn({ err: error }, 'scores are waiting for the trace store')
        })
      })
      parts.onWritten(updates)
    } catch (error) {
      logger.error({ err: error, retryMs }, 'evaluation updates could not be persisted')
      // Outcomes that were persisted are not written again: their evaluations no longer run.
      pending = [...updates, ...pending]
      flushLater(retryMs)
    }
  }

  const flushLater = (ms: number): void => {
    if (timer !== undefined) return
    timer = setTimeout(() => {
      timer = undefined
      void run()
    }, ms).unref()
  }

  const run = (): Promise<void> => {
    running ??= write().finally(() => {
      running = undefined
      if (pending.length > 0) flushLater(gatherMs)
    })
    return running
  }

  return {
    add(update) {
      pending.push(update)
      flushLater(gatherMs)
    },
    async storeUnstored() {
      await runExclusive(async () => {
        const unstored = await queue.unstored(leaseOwner, new Date(now().getTime() - abandonedMs))
        const stores = unstored.map(
          ({ token, evaluations }) =>
            () =>
              storeScores(token, evaluations, parts),
        )
        await runAll(stores)
      })
    },
    async flush() {
      await running
      await run()
    },
  }
}

/** Stores the scores in each shard of the trace store; all are stored once every shard has its own. */
async function storeScores(
  token: string,
  evaluations: readonly Evaluation[],
  parts: WriterParts,
): Promise<void> {
  if (evaluations.length === 0) return
  const rowsOfShards = Map.groupBy(evaluations.map(toScoreRow), ({ workspaceId }) =>
    parts.store.shardOf(workspaceId),
  )
  await runAll([...rowsOfShards.values()].map((rows) => () => storeMissing(token, rows, parts)))
  await parts.queue.stored(token, parts.now())
}

async function storeMissing(
  token: string,
  rows: readonly ScoreRow[],
  { queue, store, logger, now }: WriterParts,
): Promise<void> {
  // The score may exist already, from an evaluation that retention has since deleted.
  const existing = new Set((await store.storedScores(rows)).map(({ scoreId }) => scoreId))
  const missing = rows.filter(({ scoreId }) => !existing.has(scoreId))
  if (missing.length === 0) return
  const scores = encodeScores(missing)
  const { rejectedRows } = await store.insert({ token, traces: noRows, logs: noRows, scores })
  for (const { row, error } of rejectedRows) {
    logger.error({ err: error, score: missing[row]?.scoreId }, 'the trace store rejected a score')
    await queue.refuse(missing[row]!.scoreId, `The trace store rejected its score: ${error}`, now())
  }
}

/** Runs one after the other; if a shard of the trace store is away, the others continue, and it rejects at the end. */
async function runAll(works: readonly (() => Promise<void>)[]): Promise<void> {
  let unavailable: TraceStoreUnavailable | undefined
  for (const work of works) {
    try {
      await work()
    } catch (error) {
      if (!(error instanceof TraceStoreUnavailable)) throw error
      unavailable = error
    }
  }
  if (unavailable !== undefined) throw unavailable
}

/** The score of an evaluation that has a verdict. */
const toScoreRow = (evaluation: Evaluation): ScoreRow => ({
  workspaceId: evaluation.workspaceId,
  scoreId: evaluation.id,
  traceId: evaluation.traceId,
  logId: evaluation.logId ?? null,
  sessionId: evaluation.sessionId ?? null,
  name: evaluation.evaluatorSlug,
  // Safe: only evaluations with a verdict are stored.
  value: evaluation.value as ScoreRow['value'],
  comment: evaluation.comment ?? null,
  createdAtMs: evaluation.changedAt.getTime(),
  source: 'evaluator',
  evaluatorSlug: evaluation.evaluatorSlug,
  evaluatorVersion: String(evaluation.evaluatorVersion),
  model: evaluation.target?.model ?? null,
  judgeTraceId: evaluation.judgeTraceId ?? null,
  cost: evaluation.cost ?? null,
  inputTokens: evaluation.inputTokens ?? null,
  outputTokens: evaluation.outputTokens ?? null,
  apiKeyId: null,
  author: null,
  userId: null,
  revision: 0,
})
