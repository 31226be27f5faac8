/** The exports with spans of a trace in a spool that many nodes share, which the spool itself finds by their tags. */
import type { Spool } from '@plumbline/storage/spool'
import { type AcceptedSpans, decodeRecord } from '../monitor/record.ts'
import type { PendingSpans, PendingTrace } from './pending-spans.ts'

const traceTag = (workspaceId: string, otelTraceId: string): string => `spans ${workspaceId} ${otelTraceId}`
const momentTag = (workspaceId: string, receivedAtMs: number): string =>
  `moment ${workspaceId} ${receivedAtMs}`

/** The tags of an export with spans of some traces: its moment first. */
export const tagsOfSpans = (
  { workspaceId, receivedAtMs }: Pick<AcceptedSpans, 'workspaceId' | 'receivedAtMs'>,
  otelTraceIds: Iterable<string>,
): string[] => [
  momentTag(workspaceId, receivedAtMs),
  ...[...otelTraceIds].map((otelTraceId) => traceTag(workspaceId, otelTraceId)),
]

export function makeSharedPendingSpans(spool: Pick<Spool, 'findByTag' | 'findTags'>): PendingSpans {
  const find = async (workspaceId: string, otelTraceId: string): Promise<PendingTrace | undefined> => {
    const records = await spool.findByTag(traceTag(workspaceId, otelTraceId))
    const [first] = records
    if (first === undefined) return undefined
    return {
      otelTraceId,
      firstAtMs: Math.min(...records.map(({ payload }) => decodeRecord(payload).accepted.receivedAtMs)),
      recordIds: records.map(({ id }) => id),
    }
  }
  return {
    find,
    async begunAt(workspaceId, firstAtMs) {
      const records = await spool.findByTag(momentTag(workspaceId, firstAtMs))
      const prefix = traceTag(workspaceId, '')
      const otelTraceIds = new Set(
        records.flatMap(({ tags }) =>
          tags.filter((tag) => tag.startsWith(prefix)).map((tag) => tag.slice(prefix.length)),
        ),
      )
      const traces = await Promise.all([...otelTraceIds].map((id) => find(workspaceId, id)))
      return traces.filter((trace) => trace?.firstAtMs === firstAtMs) as PendingTrace[]
    },
    async sinceFirst(arrivals) {
      const records = await spool.findTags(
        arrivals.map(({ workspaceId, otelTraceId }) => traceTag(workspaceId, otelTraceId)),
      )
      const firstAtMs = new Map<string, number>()
      for (const [moment = '', ...traces] of records) {
        const atMs = Number(moment.slice(moment.lastIndexOf(' ') + 1))
        for (const trace of traces) firstAtMs.set(trace, Math.min(firstAtMs.get(trace) ?? atMs, atMs))
      }
      return arrivals.map((arrival) => {
        const atMs = firstAtMs.get(traceTag(arrival.workspaceId, arrival.otelTraceId)) ?? arrival.firstAtMs
        return { ...arrival, firstAtMs: Math.min(arrival.firstAtMs, atMs) }
      })
    },
    isIncomplete: () => false,
    // The spool knows them by itself.
    add() {},
    confirm() {},
    discard() {},
    forget() {},
  }
}
