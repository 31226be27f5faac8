/** Recording: an accepted record is in the spool, and so durable and readable, before it is acknowledged. */
import { ServiceError } from '@plumbline/contract'
import { type Spool, SpoolFailed, SpoolFull } from '@plumbline/storage/spool'
import type { ScoreRow } from '@plumbline/storage/traces'
import type { TraceRows } from './make-rows.ts'
import { makeScoreRow } from './make-rows.ts'
import { type Accepted, decodeRecord, encodeRecord } from './record.ts'
import type { RecordingWorker } from './recording-worker.ts'
import type { Overrides, SegmentRows } from './worker-messages.ts'

/** Recording for one workspace. */
export interface Recorder {
  /** Resolves when the record survives a crash; throws `unavailable` if it cannot be taken now. */
  append(accepted: Accepted, body: Buffer): Promise<void>
  /** A trace that is not in the trace store yet. */
  findPending(traceId: string): Promise<TraceRows | undefined>
  /** Scores of a trace that are not in the trace store yet. */
  pendingScores(traceId: string): ScoreRow[]
  /** Orders what is given in the place of something given before: higher at each call. */
  nextRevision(now: Date): number
  /** How many records are on their way to the trace store, of all workspaces. */
  pendingCount(): number
}

interface RecorderParts {
  readonly spool: Spool
  readonly worker: RecordingWorker
  readonly overrides: () => Promise<Overrides>
  /** Told when there is something to drain. */
  readonly onAppended: () => void
}

export interface Recorders {
  of(workspaceId: string): Recorder
  /** How many records this process has taken, and how many of them are on their way to the trace store. */
  counts(): { readonly taken: number; readonly pending: number }
  /** Makes the scores that the last process left in the spool readable; traces are so without it. */
  recoverScores(): Promise<void>
  /** Forgets pending scores that are in the trace store now. */
  forgetScores(scored: SegmentRows['scored']): void
}

/** So that two nodes which give in the same millisecond rarely give the same number. */
const revisionsPerMs = 1000
/** Tells scores from traces by their ids in the spool. */
const scorePrefix = 'score '
/** No trace has such an id, so an export is never looked up by one. */
const spansPrefix = 'spans '

function idInSpool(accepted: Accepted): string {
  // Several givings of one score may be held at a time.
  if (accepted.type === 'score') return `${scorePrefix}${accepted.scoreId} ${accepted.given?.revision ?? 0}`
  return accepted.type === 'spans' ? spansPrefix + accepted.recordId : accepted.traceId
}

export function makeRecorders({ spool, worker, overrides, onAppended }: RecorderParts): Recorders {
  /** By trace, then by score. Few: they are in the trace store within a second. */
  const scores = new Map<string, Map<string, ScoreRow>>()
  let lastRevision = 0

  let taken = 0

  const append = async (accepted: Accepted, body: Buffer): Promise<void> => {
    const id = idInSpool(accepted)
    try {
      await spool.append(id, encodeRecord(accepted, body))
    } catch (error) {
      if (!(error instanceof SpoolFull) && !(error instanceof SpoolFailed)) throw error
      throw new ServiceError(
        'unavailable',
        { problem: `The service cannot take records now: ${error.message}` },
        { cause: error },
      )
    }
    if (accepted.type === 'score') remember(makeScoreRow(accepted, body))
    taken += 1
    onAppended()
  }

  const remember = (score: ScoreRow): void => {
    const ofTrace = scores.get(score.traceId) ?? new Map<string, ScoreRow>()
    const known = ofTrace.get(score.scoreId)
    if (known === undefined || known.revision <= score.revision) ofTrace.set(score.scoreId, score)
    scores.set(score.traceId, ofTrace)
  }

  return {
    of: (workspaceId) => ({
      append,
      async findPending(traceId) {
        const record = await spool.find(traceId)
        if (record === undefined) return undefined
        const rows = await worker.rowsOfRecord(record, await overrides())
        return rows.type === 'trace' && rows.workspaceId === workspaceId ? rows : undefined
      },
      pendingScores: (traceId) =>
        [...(scores.get(traceId)?.values() ?? [])].filter((score) => score.workspaceId === workspaceId),
      nextRevision(now) {
        lastRevision = Math.max(lastRevision + 1, now.getTime() * revisionsPerMs)
        return lastRevision
      },
      pendingCount: () => spool.size().records,
    }),
    counts: () => ({ taken, pending: spool.size().records }),
    async recoverScores() {
      for (const id of [...spool.ids()].filter((held) => held.startsWith(scorePrefix))) {
        const record = await spool.find(id)
        if (record === undefined) continue
        const { accepted, body } = decodeRecord(record)
        if (accepted.type === 'score') remember(makeScoreRow(accepted, body))
      }
    },
    forgetScores(scored) {
      for (const { traceId, scoreId, revision } of scored) {
        const ofTrace = scores.get(traceId)
        // One that was given again meanwhile is still on its way.
        if (ofTrace?.get(scoreId)?.revision === revision) ofTrace.delete(scoreId)
        if (ofTrace?.size === 0) scores.delete(traceId)
      }
    },
  }
}
