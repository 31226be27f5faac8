/** The exports with spans of a trace in a spool that many nodes share; the spool finds them by their tags. */
import type { SpanArrival } from '@plumbline/storage/control'
import type { RecordTags, Spool } from '@plumbline/storage/spool'
import type { AcceptedSpans } from '../../monitor/record.ts'
import type { PendingSpans, PendingTrace } from './pending-spans.ts'

const traceTag = (workspaceId: string, otelTraceId: string): string => `spans ${workspaceId} ${otelTraceId}`
const momentTag = (workspaceId: string, receivedAtMs: number): string =>
  `moment ${workspaceId} ${receivedAtMs}`

/**
 * The tags of an export with spans of some traces. Every node must agree on the first export of a trace, since the trace's
 * id contains its time of arrival.
 */
export const tagsOfSpans = (
  { workspaceId, receivedAtMs }: Pick<AcceptedSpans, 'workspaceId' | 'receivedAtMs'>,
  otelTraceIds: Iterable<string>,
): RecordTags => ({
  tags: [momentTag(workspaceId, receivedAtMs)],
  orderedTags: [...otelTraceIds].map((otelTraceId) => traceTag(workspaceId, otelTraceId)),
})

/** The time of arrival of an export with these tags. */
const momentOf = ([moment = '']: readonly string[]): number =>
  Number(moment.slice(moment.lastIndexOf(' ') + 1))

export function makeSharedPendingSpans(spool: Pick<Spool, 'findByTag' | 'findFirst'>): PendingSpans {
  const find = async (workspaceId: string, otelTraceId: string): Promise<PendingTrace | undefined> => {
    const records = await spool.findByTag(traceTag(workspaceId, otelTraceId))
    // If the first export has left the spool, the trace is in `assemblies`, which has its time.
    const first = records.find(({ isFirst }) => isFirst) ?? records[0]
    if (first === undefined) return undefined
    return { otelTraceId, firstAtMs: momentOf(first.tags), recordIds: records.map(({ id }) => id) }
  }
  return {
    find,
    async findByFirstArrival(workspaceId, firstAtMs) {
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
      const tagOf = ({ workspaceId, otelTraceId }: SpanArrival) => traceTag(workspaceId, otelTraceId)
      const first = await spool.findFirst(arrivals.map(tagOf))
      return arrivals.map((arrival) => {
        const tags = first.get(tagOf(arrival))
        return tags === undefined ? arrival : { ...arrival, firstAtMs: momentOf(tags) }
      })
    },
    isIncomplete: () => false,
    // Not needed: the spool itself finds these exports.
    add() {},
    confirm() {},
    discard() {},
    forget() {},
  }
}
