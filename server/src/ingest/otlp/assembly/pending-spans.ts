/**
 * An index of the exports in the spool by OpenTelemetry trace, which makes spans readable before they are in the trace
 * store. It holds only ids; the spans are read from the spool. Exports missing from the index, those of an earlier process
 * and those beyond its limit, are readable once the spool has been drained.
 */
import type { SpanArrival } from '@plumbline/storage/control'

/** The exports in the spool with spans of one trace. */
export interface PendingTrace {
  readonly otelTraceId: string
  /** Arrival of the first of these exports; this is the trace's first arrival, unless the trace began earlier. */
  readonly firstAtMs: number
  readonly recordIds: readonly string[]
}

interface NewExport {
  readonly workspaceId: string
  readonly recordId: string
  readonly receivedAtMs: number
  readonly otelTraceIds: Iterable<string>
}

export interface PendingSpans {
  /** Adds an export that is about to be appended, in the order of the spool. */
  add(newExport: NewExport): void
  /** Marks the export as written to the spool. */
  confirm(recordId: string): void
  /** Removes an export that the spool rejected. */
  discard(newExport: NewExport): void
  /** The pending spans of one trace. */
  find(workspaceId: string, otelTraceId: string): Promise<PendingTrace | undefined>
  /** The traces whose first export arrived at this time. */
  findByFirstArrival(workspaceId: string, firstAtMs: number): Promise<PendingTrace[]>
  /** Arrivals of spans, each from the first export of its trace that is in the spool of any node. */
  sinceFirst(arrivals: readonly SpanArrival[]): Promise<readonly SpanArrival[]>
  /** Whether the spool has exports that the index does not know. */
  isIncomplete(): boolean
  /** Removes exports that are in the trace store. */
  forget(arrivals: readonly SpanArrival[]): void
}

interface PendingParts {
  /** Whether a record is still in the spool. */
  readonly isInSpool: (recordId: string) => boolean
  /** Ids of the records that an earlier process left in the spool. */
  readonly unknown: Iterable<string>
  readonly entriesMax?: number
}

/** An entry, one per export and trace, takes about 300 bytes. */
const defaultEntriesMax = 200_000

type Entry = { readonly recordId: string; readonly receivedAtMs: number }

export function makePendingSpans({
  isInSpool,
  unknown,
  entriesMax = defaultEntriesMax,
}: PendingParts): PendingSpans {
  const traces = new Map<string, Entry[]>()
  /** Keys of traces by the times at which exports with their spans arrived. */
  const keysByMoment = new Map<string, Set<string>>()
  const unknownIds = new Set(unknown)
  /** Exports that are being written to the spool. */
  const unconfirmed = new Set<string>()
  let entryCount = 0

  const isThere = (recordId: string): boolean => unconfirmed.has(recordId) || isInSpool(recordId)

  const toTrace = (key: string, entries: readonly Entry[] | undefined): PendingTrace | undefined => {
    const [first] = entries ?? []
    if (first === undefined) return undefined
    return {
      otelTraceId: key.slice(key.indexOf(' ') + 1),
      firstAtMs: first.receivedAtMs,
      recordIds: entries!.map(({ recordId }) => recordId),
    }
  }

  const keep = (key: string, isKept: (entry: Entry) => boolean): void => {
    const entries = traces.get(key)
    if (entries === undefined) return
    const remaining = entries.filter(isKept)
    entryCount -= entries.length - remaining.length
    for (const { receivedAtMs } of entries) {
      const moment = momentOf(workspaceOf(key), receivedAtMs)
      if (remaining.some((entry) => entry.receivedAtMs === receivedAtMs)) continue
      keysByMoment.get(moment)?.delete(key)
      if (keysByMoment.get(moment)?.size === 0) keysByMoment.delete(moment)
    }
    if (remaining.length === 0) traces.delete(key)
    else traces.set(key, remaining)
  }

  return {
    add({ workspaceId, recordId, receivedAtMs, otelTraceIds }) {
      unconfirmed.add(recordId)
      const ids = new Set(otelTraceIds)
      if (entryCount + ids.size > entriesMax) {
        unknownIds.add(recordId)
        return
      }
      entryCount += ids.size
      const entry: Entry = { recordId, receivedAtMs }
      const moment = momentOf(workspaceId, receivedAtMs)
      const keys = keysByMoment.get(moment) ?? new Set()
      if (ids.size > 0) keysByMoment.set(moment, keys)
      for (const otelTraceId of ids) {
        const key = keyOf(workspaceId, otelTraceId)
        const entries = traces.get(key)
        if (entries === undefined) traces.set(key, [entry])
        else entries.push(entry)
        keys.add(key)
      }
    },
    confirm(recordId) {
      unconfirmed.delete(recordId)
    },
    discard({ workspaceId, recordId, otelTraceIds }) {
      unconfirmed.delete(recordId)
      unknownIds.delete(recordId)
      for (const otelTraceId of new Set(otelTraceIds))
        keep(keyOf(workspaceId, otelTraceId), (entry) => entry.recordId !== recordId)
    },
    async find(workspaceId, otelTraceId) {
      const key = keyOf(workspaceId, otelTraceId)
      return toTrace(key, traces.get(key))
    },
    async findByFirstArrival(workspaceId, firstAtMs) {
      const keys = keysByMoment.get(momentOf(workspaceId, firstAtMs)) ?? []
      return [...keys].flatMap((key) => {
        const trace = toTrace(key, traces.get(key))
        return trace?.firstAtMs === firstAtMs ? trace : []
      })
    },
    // Segment files leave the spool in the order in which their exports arrived.
    sinceFirst: async (arrivals) => arrivals,
    isIncomplete() {
      for (const recordId of unknownIds) if (!isThere(recordId)) unknownIds.delete(recordId)
      return unknownIds.size > 0
    },
    forget(arrivals) {
      for (const { workspaceId, otelTraceId } of arrivals)
        keep(keyOf(workspaceId, otelTraceId), ({ recordId }) => isThere(recordId))
    },
  }
}

const keyOf = (workspaceId: string, otelTraceId: string): string => `${workspaceId} ${otelTraceId}`
const workspaceOf = (key: string): string => key.slice(0, key.indexOf(' '))
/** The key of an arrival time in a workspace. */
const momentOf = (workspaceId: string, atMs: number): string => `${workspaceId} ${atMs}`
