import type { TraceSummary } from '@plumbline/sdk'

type Arrival = Pick<TraceSummary, 'id' | 'receivedAt'>

/** How many of the arrived traces are new: received since the list was loaded, and neither in it nor received before it. Pure. */
export function newTraces(
  latest: readonly Arrival[],
  rows: readonly Arrival[],
  receivedFrom: string,
): number {
  const knownIds = new Set(rows.map(({ id }) => id))
  const isNew = ({ id, receivedAt }: Arrival): boolean => receivedAt >= receivedFrom && !knownIds.has(id)
  return new Set(latest.filter(isNew).map(({ id }) => id)).size
}
