/**
 * Moves what was acknowledged from the spool to the trace store. Each sealed segment is one batch, and its id is
 * the token by which the store knows a batch that comes again: after a crash every segment left is drained once
 * more, and stored once.
 */
import type { Segment, Spool } from '@plumbline/storage/spool'
import { readSegment } from '@plumbline/storage/spool'
import { type RefusedLine, type TraceStore, TraceStoreAway } from '@plumbline/storage/traces'
import { arrivalMs } from '@plumbline/storage/traces/rows'
import type { Logger } from 'pino'
import type { Ledger } from '../ledger/ledger.ts'
import { decodeRecord } from './record.ts'
import type { RecordingWorker } from './recording-worker.ts'
import { WorkerDied } from './recording-worker.ts'
import type { RefusedRecord, RefusedRecords } from './refused-records.ts'
import { makeLowerBackgroundThreads } from './thread-priorities.ts'
import type { Overrides, SegmentRows } from './worker-messages.ts'

interface DrainParts {
  readonly spool: Spool
  readonly store: TraceStore
  readonly worker: RecordingWorker
  readonly ledger: Ledger
  readonly refused: RefusedRecords
  readonly overrides: () => Promise<Overrides>
  /** Read anew for each segment: records of a workspace that was deleted are dropped. */
  readonly workspacesInUse: () => Promise<readonly string[]>
  readonly onScored: (scored: SegmentRows['scored']) => void
  /** Told of spans that are in the trace store now, before their segment is forgotten. */
  readonly onSpans: (arrivals: SegmentRows['arrivals']) => Promise<void>
  /**
   * Told of traces that were drawn and are in the trace store now, before their segment is forgotten. What it notes has
   * to be on disk once the ledger is, which is written after it.
   */
  readonly onSampled: (token: string, sampled: SegmentRows['sampled']) => Promise<void>
  readonly logger: Logger
}

export interface Drain {
  /** Says that there is something to move. */
  wake(): void
  /** Moves everything that the spool holds now; resolves when it is in the store, or when the store is away. */
  flush(): Promise<void>
  /** Resolves when what was acknowledged until now is in the store; rejects when the store is away. */
  settle(): Promise<void>
  /** Does some work while nothing is moved: what the spool holds stays, and the store is not written to. */
  hold<Result>(work: () => Promise<Result>): Promise<Result>
  /** Finishes the batch under way and moves nothing more. */
  stop(): Promise<void>
}

/** Under load, batches begin this far apart, so that each is large; the first after a pause begins at once. */
const intervalMs = 500
/** A batch begins before its time when this much waits. */
const eagerBytes = 16 * 1024 * 1024
/** After a pause of this length the trace store gives its memory back. */
const restMs = 10_000
const retryMs = { first: 500, most: 10_000 }

export function makeDrain(parts: DrainParts): Drain {
  const { spool, logger } = parts
  let isAwake = false
  let isStopped = false
  let running: Promise<void> | undefined
  let interrupt = (): void => {}
  let rest: NodeJS.Timeout | undefined
  /** Those who wait for a batch that has not begun. */
  let waiting: PromiseWithResolvers<void>[] = []

  const restSoon = (): void => {
    rest = setTimeout(() => {
      parts.store
        .rest()
        .catch((error: unknown) => logger.warn({ err: error }, 'the trace store keeps its memory'))
    }, restMs).unref()
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

  /** A segment is moved, or somebody holds: never both. */
  let last: Promise<unknown> = Promise.resolve()
  const inTurn = <Result>(work: () => Promise<Result>): Promise<Result> => {
    const turn = last.then(work)
    last = turn.catch(() => {})
    return turn
  }

  const drainSealed = async (): Promise<void> => {
    lowerBackgroundThreads()
    await spool.seal()
    for (const segment of spool.sealed()) {
      if (isStopped) return
      await inTurn(() => drainSegment(segment, parts))
    }
  }

  const run = async (): Promise<void> => {
    let retryAfterMs = retryMs.first
    while (isAwake && !isStopped) {
      isAwake = false
      const beganAt = Date.now()
      const settling = waiting
      waiting = []
      try {
        await drainSealed()
        for (const { resolve } of settling) resolve()
        retryAfterMs = retryMs.first
        const left = intervalMs - (Date.now() - beganAt)
        if (left > 0 && spool.size().bytes < eagerBytes && !isStopped) await pause(left)
      } catch (error) {
        for (const { reject } of settling) reject(error)
        const isAway = error instanceof TraceStoreAway
        logger[isAway ? 'warn' : 'error'](
          { err: error, retryAfterMs },
          isAway ? 'the trace store is away' : 'a batch could not be moved to the trace store',
        )
        isAwake = true
        await pause(retryAfterMs)
        retryAfterMs = Math.min(retryAfterMs * 2, retryMs.most)
      }
    }
    running = undefined
    if (isAwake && !isStopped) start()
    else if (!isStopped) restSoon()
  }

  const start = (): void => {
    clearTimeout(rest)
    running ??= run()
  }

  return {
    wake() {
      isAwake = true
      start()
    },
    async flush() {
      isStopped = true
      interrupt()
      await running
      isStopped = false
      await drainSealed()
    },
    settle() {
      const settled = Promise.withResolvers<void>()
      waiting.push(settled)
      isAwake = true
      start()
      interrupt()
      return settled.promise
    },
    hold: inTurn,
    async stop() {
      isStopped = true
      for (const { reject } of waiting.splice(0)) reject(new Error('The service is stopping.'))
      clearTimeout(rest)
      interrupt()
      await running
    },
  }
}

/** One segment: rows, store, ledger, and only then is it forgotten. */
async function drainSegment(segment: Segment, parts: DrainParts): Promise<void> {
  const { spool, store, ledger, logger } = parts
  const inUse = new Set(await parts.workspacesInUse())
  const rows = await rowsOf(segment, parts, [...inUse])
  const batch = {
    traces: asBuffer(rows.traces),
    logs: asBuffer(rows.logs),
    scores: asBuffer(rows.scores),
    spans: asBuffer(rows.spans),
  }
  const { refused } = await store.insert({ token: segment.id, ...batch })
  const givenAgain = rows.scored.filter(({ revision }) => revision > 0)
  if (givenAgain.length > 0) await store.keepLastScores(givenAgain)
  const putAside = [
    ...refused.map((line) => refusedLine(line, batch[line.table])),
    ...(rows.unreadable.length === 0 ? [] : unreadableRecords(segment, rows)).filter(
      ({ origin }) => origin === undefined || inUse.has(origin.workspaceId),
    ),
  ]
  if (rows.damagedRecords > 0) {
    logger.error(
      { segment: segment.id, records: rows.damagedRecords },
      'the disk damaged records of the spool',
    )
  }
  if (putAside.length > 0) {
    await parts.refused.keep(segment.id, putAside)
    logger.error(
      { segment: segment.id, records: putAside.length },
      'records were put aside in the folder "refused"',
    )
  }
  if (rows.arrivals.length > 0) await parts.onSpans(rows.arrivals)
  if (rows.sampled.length > 0) await parts.onSampled(segment.id, rows.sampled)
  await ledger.addStored(
    segment.id,
    rows.tallies,
    putAside.flatMap(({ origin }) => origin ?? []),
  )
  await spool.remove(segment)
  parts.onScored(rows.scored)
}

/** Asks the worker; a record that kills it is skipped at the next try. */
async function rowsOf(
  segment: Segment,
  { worker, overrides }: DrainParts,
  workspaceIds: readonly string[],
): Promise<SegmentRows> {
  const skip: number[] = []
  for (;;) {
    try {
      return await worker.rowsOfSegment(segment, await overrides(), { skip, workspaceIds })
    } catch (error) {
      if (!(error instanceof WorkerDied) || error.position === undefined || skip.includes(error.position))
        throw error
      skip.push(error.position)
    }
  }
}

/** What the trace store refused, and whose it was: only lines of traces and spans tell. */
function refusedLine({ table, line, error }: RefusedLine, lines: Buffer): RefusedRecord {
  let start = 0
  for (let passed = 0; passed < line; passed++) start = lines.indexOf(0x0a, start) + 1
  const content = lines.toString('utf8', start, lines.indexOf(0x0a, start))
  if (table !== 'traces' && table !== 'spans') return { table, line, error, content, origin: undefined }
  // Safe: this service wrote the line.
  const row = JSON.parse(content) as RefusedRow
  const atMs = 'trace_id' in row ? arrivalMs(row.trace_id) : Date.parse(`${row.received_at}Z`)
  const origin = {
    workspaceId: row.workspace_id,
    apiKeyId: row.api_key_id,
    atMs,
    sample: content,
    wasCounted: true,
  }
  return { table, line, error, content, origin }
}

type RefusedRow = { workspace_id: string; api_key_id: string } & (
  | { trace_id: string }
  | { received_at: string }
)

/** What no rows could be made of; the record itself is kept. */
function unreadableRecords(segment: Segment, { unreadable }: SegmentRows): RefusedRecord[] {
  const { records } = readSegment(segment)
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
