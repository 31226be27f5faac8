/** Moves one segment from the spool to the trace store: stores its rows, sets aside records that give none, and notifies. */
import type { SpanArrival } from '@plumbline/storage/control'
import type { Segment, SegmentSource, Spool, WaitingRecords } from '@plumbline/storage/spool'
import { readSegment } from '@plumbline/storage/spool'
import type { RejectedRow, TraceStore } from '@plumbline/storage/traces'
import { arrivalMs, readRows, selectRows } from '@plumbline/storage/traces/rows'
import type { Logger } from 'pino'
import type { ShardOutages } from '../../process/shard-outages.ts'
import { recordsLost } from '../../process/stores.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { WholeTraceStore } from '../otlp/assembly/store-whole-traces.ts'
import { decodeRecord } from './record.ts'
import type { RefusedRecord, RefusedRecords } from './refused-records.ts'
import type { SegmentRowsSource } from './segment-rows.ts'
import type { SegmentRows } from './worker/worker-messages.ts'

export interface DrainParts {
  readonly spool: Spool
  readonly store: TraceStore
  readonly ledger: Ledger
  readonly refusedRecords: RefusedRecords
  readonly outages: ShardOutages
  /** Called with the number of acknowledged records of a segment that the disk damaged. */
  readonly onLost: (segmentId: string, records: number) => void
  /** Read for each segment, so that records of deleted workspaces are dropped. */
  readonly workspacesInUse: () => Promise<readonly string[]>
  readonly onScored: (revisions: SegmentRows['scoreRevisions']) => void
  /** Stores OpenTelemetry traces that arrived whole; undefined if the assembler makes the rows of all traces. */
  readonly wholeTraces: WholeTraceStore | undefined
  /** Called once the exports with these spans have left the spool. */
  readonly onRemoved: (arrivals: SegmentRows['arrivals']) => void
  /** Called with spans that are in the trace store, before their segment is removed. */
  readonly onSpans: (arrivals: readonly SpanArrival[]) => Promise<void>
  /**
   * Called with sampled traces that are in the trace store, before their segment is removed. It must make its notes
   * durable before the ledger is written.
   */
  readonly onSampled: (token: string, traces: SegmentRows['sampledTraces']) => Promise<void>
  readonly logger: Logger
}

/**
 * Stores the rows of one segment, counts them in the ledger, and only then removes the segment. If shards of the trace
 * store are away, it does so for the workspaces on the other shards and leaves the rest of the segment in the spool;
 * returns the shards that the rest waits for.
 *
 * Rows are always made of all records in the segment, so that a shard gets the same rows under the same token whichever
 * others were away.
 */
export async function drainSegment(
  segment: Segment,
  awayShards: ReadonlySet<number>,
  segmentRows: SegmentRowsSource,
  parts: DrainParts,
): Promise<ReadonlySet<number>> {
  const { spool, store, ledger, logger } = parts
  const isPresent = ({ workspaceId }: OfWorkspace): boolean => !awayShards.has(store.shardOf(workspaceId))
  const inUse = new Set(await parts.workspacesInUse())
  const conditions = { workspaceIds: [...inUse], listsRecords: awayShards.size > 0 }
  const rows = await segmentRows.take(segment, conditions)
  segmentRows.announce(segmentsAfter(segment, spool), conditions)
  // Records of a newer version are left to a node of that version.
  if (rows.unreadable.length > 0) await store.refuseNewer()
  const batch = {
    traces: asBuffer(rows.traces),
    logs: asBuffer(rows.logs),
    scores: asBuffer(rows.scores),
    spans: asBuffer(rows.spans),
  }
  const { rejectedRows } = await store.insert({ token: segment.id, withoutShards: awayShards, ...batch })
  const scoreRevisions = rows.scoreRevisions.filter(isPresent)
  const replacedScores = scoreRevisions.filter(({ revision }) => revision > 0)
  if (replacedScores.length > 0) await store.keepLatestScores(replacedScores)
  const unreadable = (
    rows.unreadable.length === 0 ? [] : unreadableRecords(await spool.source(segment), rows)
  ).filter(({ origin }) => origin === undefined || inUse.has(origin.workspaceId))
  const putAside = [
    ...rejectedRows.map((row) => toRefusedRecord(row, batch[row.table])),
    ...unreadable.filter(({ origin }) => origin === undefined || isPresent(origin)),
  ]
  if (rows.damagedRecords > 0) {
    parts.onLost(segment.id, rows.damagedRecords)
    logger.error({ segment: segment.id, records: rows.damagedRecords }, recordsLost)
  }
  if (putAside.length > 0) {
    const batchName = [segment.id, ...awayShards].join('-')
    await parts.refusedRecords.keep(batchName, putAside)
    logger.error(
      { segment: segment.id, records: putAside.length },
      'records were set aside in the folder "refused"',
    )
  }
  const arrivals = rows.arrivals.filter(isPresent)
  const wholeEntries = rows.whole?.entries.filter(isPresent) ?? []
  const growing =
    rows.whole === undefined || parts.wholeTraces === undefined || wholeEntries.length === 0
      ? arrivals
      : await parts.wholeTraces.add(segment.id, { ...rows.whole, entries: wholeEntries }, arrivals)
  if (growing.length > 0) await parts.onSpans(growing)
  const sampledTraces = rows.sampledTraces.filter(isPresent)
  if (sampledTraces.length > 0) await parts.onSampled(segment.id, sampledTraces)
  await ledger.addStored(
    segment.id,
    rows.tallies.filter(isPresent),
    putAside.flatMap(({ origin }) => origin ?? []),
  )
  const waiting = recordsFor(awayShards, rows, store, unreadable)
  if (waiting.ids.size > 0) await spool.reduce(segment, waiting)
  else await spool.remove(segment)
  parts.onScored(scoreRevisions)
  parts.onRemoved(arrivals)
  return new Set(waiting.shards)
}

function segmentsAfter({ id }: Segment, spool: Spool): readonly Segment[] {
  const segments = spool.sealed()
  return segments.slice(segments.findIndex((segment) => segment.id === id) + 1)
}

interface OfWorkspace {
  readonly workspaceId: string
}

/** The records of a segment that belong to shards which are away. */
function recordsFor(
  awayShards: ReadonlySet<number>,
  { recordIds, unreadable }: SegmentRows,
  store: Pick<TraceStore, 'shardOf'>,
  origins: readonly RefusedRecord[],
): WaitingRecords {
  const ids = new Set<string>()
  const shards = new Set<number>()
  const add = (workspaceId: string, newIds: readonly string[]): void => {
    const shard = store.shardOf(workspaceId)
    if (!awayShards.has(shard)) return
    shards.add(shard)
    for (const id of newIds) ids.add(id)
  }
  for (const [workspaceId, idsOfWorkspace] of recordIds) add(workspaceId, idsOfWorkspace)
  // Records that killed a worker have no rows, but they belong to a workspace too.
  for (const { line, origin } of origins) {
    const record = unreadable.find(({ position }) => position === line)
    if (origin !== undefined && record !== undefined) add(origin.workspaceId, [record.id])
  }
  return { ids, shards: [...shards] }
}

/** A row that the trace store rejected; traces and spans come with their origin. */
function toRefusedRecord({ table, row: line, error }: RejectedRow, block: Buffer): RefusedRecord {
  const [row] = readRows(selectRows(block, [[line, line + 1]]))
  const content = JSON.stringify(row)
  if (table !== 'traces' && table !== 'spans') return { table, line, error, content, origin: undefined }
  // Safe: this service wrote the row.
  const { workspace_id, api_key_id, trace_id, received_at } = row as RefusedRow
  const atMs = trace_id === undefined ? Date.parse(received_at) : arrivalMs(trace_id)
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

/** Records that could not be turned into rows, as the spool has them. */
function unreadableRecords(source: SegmentSource, { unreadable }: SegmentRows): RefusedRecord[] {
  const { records } = readSegment(source)
  return unreadable.map(({ position, error }) => {
    const { payload } = records[position]!
    const content = payload.toString('base64')
    return { table: 'spool', line: position, error, content, origin: originOf(payload) }
  })
}

function originOf(payload: Buffer): RefusedRecord['origin'] {
  try {
    const { accepted, body } = decodeRecord(payload)
    const { workspaceId, apiKeyId, receivedAtMs: atMs } = accepted
    const sample = body.toString('utf8', 0, sampleBytes)
    return { workspaceId, apiKeyId, atMs, sample, wasCounted: false }
  } catch {
    // The header itself may be unreadable; that must not hold up the records behind it.
    return undefined
  }
}

const sampleBytes = 1000

const asBuffer = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
