/**
 * Moves acknowledged records from the spool to the trace store. Each sealed segment is one batch, and its id is the
 * token by which the store deduplicates batches: after a crash, the drain repeats the remaining segments, and the
 * store keeps each batch once.
 */
import type { SpanArrival } from '@plumbline/storage/control'
import type { Segment, SegmentSource, Spool } from '@plumbline/storage/spool'
import { readSegment } from '@plumbline/storage/spool'
import { type RejectedLine, type TraceStore, TraceStoreUnavailable } from '@plumbline/storage/traces'
import { arrivalMs, readEncodedLine } from '@plumbline/storage/traces/rows'
import type { Logger } from 'pino'
import { recordsLost } from '../../process/stores.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { WholeTraceStore } from '../otlp/assembly/store-whole-traces.ts'
import type { LiveRates } from './judged-references.ts'
import { decodeRecord } from './record.ts'
import type { RefusedRecord, RefusedRecords } from './refused-records.ts'
import type { RecordingWorker } from './worker/recording-worker.ts'
import { WorkerDied } from './worker/recording-worker.ts'
import { makeLowerBackgroundThreads } from './worker/thread-priorities.ts'
import type { Overrides, SegmentRows } from './worker/worker-messages.ts'

interface DrainParts {
  readonly spool: Spool
  readonly store: TraceStore
  readonly worker: RecordingWorker
  readonly ledger: Ledger
  readonly refused: RefusedRecords
  /** Called with the number of acknowledged records of a segment that the disk damaged. */
  readonly onLost: (segmentId: string, records: number) => void
  readonly overrides: () => Promise<Overrides>
  readonly liveRates: () => Promise<LiveRates>
  /** Read for each segment, so that records of deleted workspaces are dropped. */
  readonly workspacesInUse: () => Promise<readonly string[]>
  readonly onScored: (scored: SegmentRows['scored']) => void
  /** Stores OpenTelemetry traces that came whole; undefined where the assembler makes the rows of all. */
  readonly wholeTraces: WholeTraceStore | undefined
  /** Called once the exports with these spans have left the spool. */
  readonly onRemoved: (arrivals: SegmentRows['arrivals']) => void
  /** Called with spans that are in the trace store, before their segment is removed. */
  readonly onSpans: (arrivals: readonly SpanArrival[]) => Promise<void>
  /**
   * Called with sampled traces that are in the trace store, before their segment is removed. It must make its notes
   * durable before the ledger is written.
   */
  readonly onSampled: (token: string, sampled: SegmentRows['sampled']) => Promise<void>
  readonly logger: Logger
}

export interface Drain {
  /** Notifies the drain that there may be work. */
  wake(): void
  /** Moves everything in the spool to the store; rejects when the store is unavailable. */
  flush(): Promise<void>
  /** Resolves once all records acknowledged so far are in the store; rejects when the store is unavailable. */
  settle(): Promise<void>
  /** Runs `work` while the drain is paused: the spool keeps its segments, and nothing writes to the store. */
  pauseWhile<Result>(work: () => Promise<Result>): Promise<Result>
  /** Finishes the current batch, then stops. */
  stop(): Promise<void>
}

/**
 * Minimum time between batches; the first after a pause starts at once. A batch costs nearly the same whatever its size,
 * and each is several waits for the disk, so that under load they are fewer and larger.
 */
const intervalMs = { calm: 500, busy: 1250 }
/** A batch of this size shows that there is load. */
const busyBytes = 1024 * 1024
/** The next batch starts early when this much is waiting. */
const eagerBytes = 16 * 1024 * 1024
/** The trace store releases memory that it does not use after this idle time, and this often under load. */
const idleTimeoutMs = 2_000
const releaseIntervalMs = 10_000
const retryDelayMs = { first: 500, most: 10_000 }

export function makeDrain(parts: DrainParts): Drain {
  const { spool, logger } = parts
  let hasWork = false
  let isStopped = false
  let running: Promise<void> | undefined
  let interrupt = (): void => {}
  let idleTimer: NodeJS.Timeout | undefined
  /** Callers of `settle` that wait for a batch that has not started. */
  let waiting: PromiseWithResolvers<void>[] = []

  let releasedAtMs = performance.now()

  const releaseMemory = (): void => {
    releasedAtMs = performance.now()
    parts.store
      .releaseMemory()
      .catch((error: unknown) => logger.warn({ err: error }, 'the trace store did not release its memory'))
  }

  const scheduleIdle = (): void => {
    idleTimer = setTimeout(releaseMemory, idleTimeoutMs).unref()
  }

  const pause = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, ms)
      interrupt = () => {
        clearTimeout(timer)
        resolve()
      }
    })

  const lowerBackgroundThreads = makeLowerBackgroundThreads()

  /** Excludes each other: draining a segment, and the work of `pauseWhile`. */
  let lastRun: Promise<unknown> = Promise.resolve()
  const runExclusive = <Result>(work: () => Promise<Result>): Promise<Result> => {
    const result = lastRun.then(work)
    lastRun = result.catch(() => {})
    return result
  }

  const drainSealed = async (): Promise<void> => {
    lowerBackgroundThreads()
    await spool.seal()
    for (const segment of spool.sealed()) {
      if (isStopped) return
      await runExclusive(async () => {
        // The loop and a flush walk over the same segments.
        if (spool.sealed().some(({ id }) => id === segment.id)) await drainSegment(segment, parts)
      })
    }
  }

  const run = async (): Promise<void> => {
    let retryAfterMs = retryDelayMs.first
    while (hasWork && !isStopped) {
      hasWork = false
      // A clock that does not jump: one that was put back would make the pause as long as the jump.
      const startedAt = performance.now()
      const minimumMs = spool.size().bytes < busyBytes ? intervalMs.calm : intervalMs.busy
      const waiters = waiting
      waiting = []
      try {
        await drainSealed()
        for (const { resolve, reject } of waiters) isStopped ? reject(isStopping()) : resolve()
        if (performance.now() - releasedAtMs >= releaseIntervalMs) releaseMemory()
        retryAfterMs = retryDelayMs.first
        const remainingMs = minimumMs - (performance.now() - startedAt)
        if (remainingMs > 0 && spool.size().bytes < eagerBytes && !isStopped) await pause(remainingMs)
      } catch (error) {
        for (const { reject } of waiters) reject(error)
        const isAway = error instanceof TraceStoreUnavailable
        logger[isAway ? 'warn' : 'error'](
          { err: error, retryAfterMs },
          isAway ? 'the trace store is away' : 'a batch could not be moved to the trace store',
        )
        hasWork = true
        await pause(retryAfterMs)
        retryAfterMs = Math.min(retryAfterMs * 2, retryDelayMs.most)
      }
    }
    running = undefined
    if (hasWork && !isStopped) start()
    else if (!isStopped) scheduleIdle()
  }

  const start = (): void => {
    clearTimeout(idleTimer)
    running ??= run()
  }

  return {
    wake() {
      hasWork = true
      start()
    },
    flush: drainSealed,
    settle() {
      const drained = Promise.withResolvers<void>()
      waiting.push(drained)
      hasWork = true
      start()
      interrupt()
      return drained.promise
    },
    pauseWhile: runExclusive,
    async stop() {
      isStopped = true
      for (const { reject } of waiting.splice(0)) reject(isStopping())
      clearTimeout(idleTimer)
      interrupt()
      await running
    },
  }
}

const isStopping = (): Error => new Error('The service is stopping.')

/** Stores the rows of one segment and counts them in the ledger, and only then removes the segment. */
async function drainSegment(segment: Segment, parts: DrainParts): Promise<void> {
  const { spool, store, ledger, logger } = parts
  const inUse = new Set(await parts.workspacesInUse())
  const rows = await rowsOf(segment, parts, [...inUse])
  // A record of a newer version is left to a node of that version.
  if (rows.unreadable.length > 0) await store.refuseNewer()
  const batch = {
    traces: asBuffer(rows.traces),
    logs: asBuffer(rows.logs),
    scores: asBuffer(rows.scores),
    spans: asBuffer(rows.spans),
  }
  const { rejected } = await store.insert({ token: segment.id, ...batch })
  const replacedScores = rows.scored.filter(({ revision }) => revision > 0)
  if (replacedScores.length > 0) await store.keepLatestScores(replacedScores)
  const putAside = [
    ...rejected.map((line) => toRefusedRecord(line, batch[line.table])),
    ...(rows.unreadable.length === 0 ? [] : unreadableRecords(await spool.source(segment), rows)).filter(
      ({ origin }) => origin === undefined || inUse.has(origin.workspaceId),
    ),
  ]
  if (rows.damagedRecords > 0) {
    parts.onLost(segment.id, rows.damagedRecords)
    logger.error({ segment: segment.id, records: rows.damagedRecords }, recordsLost)
  }
  if (putAside.length > 0) {
    await parts.refused.keep(segment.id, putAside)
    logger.error(
      { segment: segment.id, records: putAside.length },
      'records were put aside in the folder "refused"',
    )
  }
  const arrivals =
    rows.whole === undefined || parts.wholeTraces === undefined || rows.whole.entries.length === 0
      ? rows.arrivals
      : await parts.wholeTraces.add(segment.id, rows.whole, rows.arrivals)
  if (arrivals.length > 0) await parts.onSpans(arrivals)
  if (rows.sampled.length > 0) await parts.onSampled(segment.id, rows.sampled)
  await ledger.addStored(
    segment.id,
    rows.tallies,
    putAside.flatMap(({ origin }) => origin ?? []),
  )
  await spool.remove(segment)
  parts.onScored(rows.scored)
  parts.onRemoved(rows.arrivals)
}

/**
 * Builds the rows in the worker; skips a record that killed the worker on the next attempt. A worker that died outside
 * a record may have died of a trace, which the assembler isolates.
 */
async function rowsOf(
  segment: Segment,
  { spool, worker, overrides, liveRates, wholeTraces }: DrainParts,
  workspaceIds: readonly string[],
): Promise<SegmentRows> {
  const skip: number[] = []
  let makesWholeTraces = wholeTraces !== undefined
  for (;;) {
    try {
      return await worker.rowsOfSegment(await spool.source(segment), await overrides(), {
        skip,
        workspaceIds,
        makesWholeTraces,
        liveRates: await liveRates(),
      })
    } catch (error) {
      if (!(error instanceof WorkerDied)) throw error
      if (error.position !== undefined && !skip.includes(error.position)) skip.push(error.position)
      else if (error.position === undefined && makesWholeTraces) makesWholeTraces = false
      else throw error
    }
  }
}

/** A line that the trace store rejected, with its origin if it is a trace or a span. */
function toRefusedRecord({ table, line, error }: RejectedLine, lines: Buffer): RefusedRecord {
  let start = 0
  for (let passed = 0; passed < line; passed++) start = lines.indexOf(0x0a, start) + 1
  const row = readEncodedLine(table, lines.toString('utf8', start, lines.indexOf(0x0a, start)))
  const content = JSON.stringify(row)
  if (table !== 'traces' && table !== 'spans') return { table, line, error, content, origin: undefined }
  // Safe: this service wrote the line.
  const { workspace_id, api_key_id, trace_id, received_at } = row as RefusedRow
  const atMs = trace_id === undefined ? Date.parse(`${received_at}Z`) : arrivalMs(trace_id)
  const origin = {
    workspaceId: workspace_id,
    apiKeyId: api_key_id,
    atMs,
    sample: content,
    wasCounted: true,
  }
  return { table, line, error, content, origin }
}

type RefusedRow = { workspace_id: string; api_key_id: string; received_at: string; trace_id?: string }

/** Records that could not be turned into rows, as they are in the spool. */
function unreadableRecords(source: SegmentSource, { unreadable }: SegmentRows): RefusedRecord[] {
  const { records } = readSegment(source)
  return unreadable.map(({ position, error }) => {
    const { payload } = records[position]!
    const { accepted, body } = decodeRecord(payload)
    const { workspaceId, apiKeyId, receivedAtMs: atMs } = accepted
    const origin = {
      workspaceId,
      apiKeyId,
      atMs,
      sample: body.toString('utf8', 0, sampleBytes),
      wasCounted: false,
    }
    return { table: 'spool', line: position, error, content: payload.toString('base64'), origin }
  })
}

const sampleBytes = 1000

const asBuffer = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
