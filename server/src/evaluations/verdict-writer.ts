/**
 * Writes down what evaluations came to: first in the control plane, where each has one verdict, then as scores in the
 * trace store, then that they are there. The token under which scores are stored is written down before, so that after
 * a crash between the steps the same scores are stored under the same token, which is once.
 */
import { randomUUID } from 'node:crypto'
import type { Evaluation, EvaluationQueue, Outcome } from '@plumbline/storage/control'
import { type ScoreRow, type TraceStore, TraceStoreAway } from '@plumbline/storage/traces'
import { encodeScoreRow } from '@plumbline/storage/traces/rows'
import type { Logger } from 'pino'

interface WriterParts {
  readonly queue: EvaluationQueue
  readonly store: TraceStore
  /** Does some work while nothing else is written into the trace store, and no backup is made. */
  readonly inTurn: <Result>(work: () => Promise<Result>) => Promise<Result>
  readonly holder: string
  /** Told of what was written. */
  readonly onWritten: (outcomes: readonly Outcome[]) => void
  readonly logger: Logger
  readonly now: () => Date
}

export interface VerdictWriter {
  /** Writes it down soon, with others. */
  add(outcome: Outcome): void
  /** Stores verdicts that are not in the trace store: of the process before this one, or since the store was away. */
  storeLeft(): Promise<void>
  /** Writes down everything that was added. */
  flush(): Promise<void>
}

/** Those that come within this time are written together. */
const gatherMs = 20
const retryMs = 2000
/** One node stores what another has not, if that was so long ago. */
const abandonedMs = 10 * 60_000
const noLines = Buffer.alloc(0)

export function makeVerdictWriter(parts: WriterParts): VerdictWriter {
  const { queue, holder, inTurn, logger, now } = parts
  let pending: Outcome[] = []
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | undefined

  const write = async (): Promise<void> => {
    const outcomes = pending
    pending = []
    if (outcomes.length === 0) return
    const token = `evaluations ${randomUUID()}`
    try {
      await inTurn(async () => {
        const judged = await queue.finish(outcomes, { holder, token, now: now() })
        await storeScores(token, judged, parts).catch((error: unknown) => {
          // They are written down, and stored later.
          if (!(error instanceof TraceStoreAway)) throw error
          logger.warn({ err: error }, 'scores wait for the trace store')
        })
      })
      parts.onWritten(outcomes)
    } catch (error) {
      logger.error({ err: error, retryMs }, 'what evaluations came to could not be written down')
      // What was written down already is not written twice: it is no longer running.
      pending = [...outcomes, ...pending]
      later(retryMs)
    }
  }

  const later = (ms: number): void => {
    if (timer !== undefined) return
    timer = setTimeout(() => {
      timer = undefined
      void run()
    }, ms).unref()
  }

  const run = (): Promise<void> => {
    running ??= write().finally(() => {
      running = undefined
      if (pending.length > 0) later(gatherMs)
    })
    return running
  }

  return {
    add(outcome) {
      pending.push(outcome)
      later(gatherMs)
    },
    async storeLeft() {
      await inTurn(async () => {
        const left = await queue.unstored(holder, new Date(now().getTime() - abandonedMs))
        for (const { token, evaluations } of left) await storeScores(token, evaluations, parts)
      })
    },
    async flush() {
      await running
      await run()
    },
  }
}

async function storeScores(
  token: string,
  judged: readonly Evaluation[],
  { queue, store, logger, now }: WriterParts,
): Promise<void> {
  if (judged.length === 0) return
  const rows = judged.map(scoreOf)
  // Of an evaluation that was forgotten since, the score may be there.
  const known = await store.storedScores(rows)
  const lines = rows.filter(({ scoreId }) => !known.has(scoreId))
  if (lines.length > 0) {
    const scores = Buffer.from(lines.map(encodeScoreRow).join(''))
    const { refused } = await store.insert({ token, traces: noLines, logs: noLines, scores })
    for (const { line, error } of refused) {
      logger.error({ err: error, score: lines[line]?.scoreId }, 'the trace store refused a score')
      await queue.refuse(lines[line]!.scoreId, `The trace store does not take its score: ${error}`, now())
    }
  }
  await queue.stored(token, now())
}

/** The score that an evaluation gives. */
const scoreOf = (of: Evaluation): ScoreRow => ({
  workspaceId: of.workspaceId,
  scoreId: of.id,
  traceId: of.traceId,
  logId: of.logId ?? null,
  name: of.evaluatorSlug,
  // Safe: only what has a verdict is stored.
  value: of.value as ScoreRow['value'],
  comment: of.comment ?? null,
  createdAtMs: of.changedAt.getTime(),
  source: 'evaluator',
  evaluatorSlug: of.evaluatorSlug,
  evaluatorVersion: String(of.evaluatorVersion),
  model: of.asked?.model ?? null,
  cost: of.cost ?? null,
  inputTokens: of.inputTokens ?? null,
  outputTokens: of.outputTokens ?? null,
  apiKeyId: null,
  author: null,
  userId: null,
  revision: 0,
})
