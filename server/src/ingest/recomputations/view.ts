import { type CostDifference, type Recomputation, ServiceError } from '@plumbline/contract'
import type { Recomputation as StoredRecomputation } from '@plumbline/storage/control'
import { writeTimestamp } from '../../json/timestamp.ts'
import type { Workspace } from '../../workspace/workspace.ts'

export const toRecomputationView = (row: StoredRecomputation): Recomputation => ({
  id: row.id,
  from: writeTimestamp(row.fromUs),
  to: writeTimestamp(row.toUs),
  listVersion: row.listVersion,
  status: row.status,
  traces: row.traces,
  // Safe: the runner wrote it.
  differences: JSON.parse(row.differences) as CostDifference[],
  requestedBy: row.requestedByName,
  requestedAt: row.requestedAt.toISOString(),
  finishedAt: row.finishedAt?.toISOString() ?? null,
})

export async function findRecomputation(
  { recomputations }: Pick<Workspace, 'recomputations'>,
  id: string,
): Promise<StoredRecomputation> {
  const storedRecomputation = await recomputations.find(id)
  if (storedRecomputation === undefined) throw new ServiceError('recomputation_not_found', { id })
  return storedRecomputation
}
