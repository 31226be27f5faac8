import { type CostDifference, type Recomputation, ServiceError } from '@plumbline/contract'
import type { Recomputation as StoredRecomputation } from '@plumbline/storage/control'
import { writeTimestamp } from '../../json/timestamp.ts'
import type { Workspace } from '../../workspace/workspace.ts'

export const toRecomputationView = (stored: StoredRecomputation): Recomputation => ({
  id: stored.id,
  from: writeTimestamp(stored.fromUs),
  to: writeTimestamp(stored.toUs),
  listVersion: stored.listVersion,
  status: stored.status,
  traces: stored.traces,
  // Safe: the runner wrote it.
  differences: JSON.parse(stored.differences) as CostDifference[],
  requestedBy: stored.requestedByName,
  requestedAt: stored.requestedAt.toISOString(),
  finishedAt: stored.finishedAt?.toISOString() ?? null,
})

export async function findRecomputation(
  { recomputations }: Pick<Workspace, 'recomputations'>,
  id: string,
): Promise<StoredRecomputation> {
  const stored = await recomputations.find(id)
  if (stored === undefined) throw new ServiceError('recomputation_not_found', { id })
  return stored
}
