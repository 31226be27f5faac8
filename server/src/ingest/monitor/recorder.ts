/** Writes accepted records to the spool, so that they are durable and readable before they are acknowledged. */
import { ServiceError } from '@plumbline/contract'
import { type RecordTags, type Spool, SpoolFailed, SpoolFull } from '@plumbline/storage/spool'
import type { ScoreRow } from '@plumbline/storage/traces'
import type { StoredRecord } from '../masking/mask-record.ts'
import type { Masking } from '../masking/masking.ts'
import type { PendingSpans } from '../otlp/assembly/pending-spans.ts'
import { tagsOfSpans } from '../otlp/assembly/shared-pending-spans.ts'
import { type AcceptedRecord, decodeRecord, encodeRecord } from './record.ts'
import { makeRevisions } from './revisions.ts'
import type { TraceRows } from './worker/make-rows.ts'
import { makeScoreRow } from './worker/make-rows.ts'
import type { RecordingWorker } from './worker/recording-worker.ts'
import type { Overrides, SegmentRows } from './worker/worker-messages.ts'

/** Recording for one workspace. */
export interface Recorder {
  /**
   * Masks a record by the rules of its workspace and makes it durable. Resolves with the stored record; throws
   * `unavailable` if it cannot be stored now.
   */
  append<Of extends AcceptedRecord>(
    record: Of,
    body: Buffer,
    /** For an export: the ids of the traces that its spans belong to. */
    otelTraceIds?: Iterable<string>,
  ): Promise<StoredRecord<Of>>
  /** Finds a trace that is not in the trace store yet. */
  findPending(traceId: string): Promise<TraceRows | undefined>
  /** Scores of a trace that are not in the trace store yet, of any node. */
  pendingScores(traceId: string): Promise<ScoreRow[]>
  /** Whether other nodes have records that are not in the trace store yet. */
  readonly isShared: boolean
  /** A revision that orders replacements; each call returns a higher one. */
  nextRevision(now: Date): number
  /** How many records of all workspaces are not in the trace store yet. */
  pendingCount(): number
}

declare module '../../workspace/workspace.ts' {
  interface Workspace {
    readonly recorder: Recorder
  }
}

interface RecorderParts {
  readonly spool: Spool
  readonly masking: Pick<Masking, 'record'>
  readonly worker: RecordingWorker
  readonly overrides: () => Promise<Overrides>
  readonly pendingSpans: PendingSpans
  /** Called when there is a record to drain. */
  readonly onAppended: () => void
}

export interface Recorders {
  of(workspaceId: string): Recorder
  /** How many records this process has accepted, and how many are not in the trace store yet. */
  counts(): { readonly acceptedCount: number; readonly pending: number }
  /** Makes scores readable that a previous process left in the spool; traces need no recovery. */
  recoverScores(): Promise<void>
  /** Forgets pending scores that are now in the trace store. */
  forgetScores(revisions: SegmentRows['scoreRevisions']): void
}

/** Distinguishes scores from traces by their ids in the spool. */
const scorePrefix = 'score '
/** No trace id has this prefix, so a look-up by trace never finds an export. */
export const spansPrefix = 'spans '

function idInSpool(record: AcceptedRecord): string {
  // The spool may hold several revisions of one score.
  if (record.type === 'score') return `${scorePrefix}${record.scoreId} ${record.given?.revision ?? 0}`
  return record.type === 'spans' ? spansPrefix + record.recordId : record.traceId
}

/** The tags by which other nodes find a record, besides its id. */
function tagsOf(
  record: AcceptedRecord,
  { score, otelTraceIds = [] }: { score: ScoreRow | undefined; otelTraceIds?: Iterable<string> | undefined },
): RecordTags {
  if (score !== undefined) return { tags: [scorePrefix + score.traceId] }
  return record.type === 'spans' ? tagsOfSpans(record, otelTraceIds) : {}
}

export function makeRecorders(parts: RecorderParts): Recorders {
  const { spool, masking, worker, overrides, pendingSpans, onAppended } = parts
  /** Scores of a spool in files, by trace and score id. They are few, since they reach the trace store within a second. */
  const scores = new Map<string, Map<string, ScoreRow>>()
  const nextRevision = makeRevisions(spool.processNumber)
  let recordCount = 0

  const append: Recorder['append'] = async (record, receivedBody, otelTraceIds = []) => {
    // Before anything is written: no byte that the rules match may reach a disk.
    const storedRecord = await masking.record(record, receivedBody)
    const accepted: AcceptedRecord = storedRecord.accepted
    const { body } = storedRecord
    const id = idInSpool(accepted)
    const score = accepted.type === 'score' ? makeScoreRow(accepted, body) : undefined
    const added = { ...accepted, recordId: id, otelTraceIds }
    // Spool and index in the same order, since the first export of a trace decides its id.
    if (accepted.type === 'spans') pendingSpans.add(added)
    try {
      await spool.append(
        id,
        encodeRecord(accepted, body),
        spool.isShared ? tagsOf(accepted, { score, otelTraceIds }) : {},
      )
    } catch (error) {
      if (accepted.type === 'spans') pendingSpans.discard(added)
      if (!(error instanceof SpoolFull) && !(error instanceof SpoolFailed)) throw error
      throw new ServiceError(
        'unavailable',
        { problem: `The service cannot accept records now: ${error.message}` },
        { cause: error },
      )
    }
    if (accepted.type === 'spans') pendingSpans.confirm(id)
    if (score !== undefined && !spool.isShared) addPendingScore(score)
    // Records that the service makes itself were acknowledged to no client.
    if (accepted.apiKeyId !== '') recordCount += 1
    onAppended()
    return storedRecord
  }

  const addPendingScore = (score: ScoreRow): void => {
    const traceScores = scores.get(score.traceId) ?? new Map<string, ScoreRow>()
    const existing = traceScores.get(score.scoreId)
    if (existing === undefined || existing.revision <= score.revision) traceScores.set(score.scoreId, score)
    scores.set(score.traceId, traceScores)
  }

  const sharedScores = async (traceId: string): Promise<ScoreRow[]> =>
    (await spool.findByTag(scorePrefix + traceId))
      .map(({ payload }) => decodeRecord(payload))
      .flatMap(({ accepted, body }) => (accepted.type === 'score' ? [makeScoreRow(accepted, body)] : []))

  return {
    of: (workspaceId) => ({
      append,
      isShared: spool.isShared,
      async findPending(traceId) {
        const record = await spool.find(traceId)
        if (record === undefined) return undefined
        const rows = await worker.rowsOfRecord(record, await overrides())
        return rows.type === 'trace' && rows.workspaceId === workspaceId ? rows : undefined
      },
      async pendingScores(traceId) {
        const pending = spool.isShared ? await sharedScores(traceId) : (scores.get(traceId)?.values() ?? [])
        return [...pending].filter((score) => score.workspaceId === workspaceId)
      },
      nextRevision,
      pendingCount: () => spool.size().records,
    }),
    counts: () => ({ acceptedCount: recordCount, pending: spool.size().records }),
    async recoverScores() {
      for (const id of [...spool.ids()].filter((key) => key.startsWith(scorePrefix))) {
        const record = await spool.find(id)
        if (record === undefined) continue
        const { accepted, body } = decodeRecord(record)
        if (accepted.type === 'score') addPendingScore(makeScoreRow(accepted, body))
      }
    },
    forgetScores(scoreRows) {
      for (const { traceId, scoreId, revision } of scoreRows) {
        const ofTrace = scores.get(traceId)
        // A newer revision is still pending.
        if (ofTrace?.get(scoreId)?.revision === revision) ofTrace.delete(scoreId)
        if (ofTrace?.size === 0) scores.delete(traceId)
      }
    },
  }
}
