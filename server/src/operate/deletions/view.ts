import type { DeletionState, Deletion as DeletionView } from '@plumbline/contract'
import type { Deletion } from '@plumbline/storage/control'
import type { StoredSelection } from './selection.ts'

/** A newly requested deletion is not cancelled yet. */
export type ViewedDeletion = Deletion & { readonly isCancelled?: boolean }

/** The fields that deletions and erasures share. */
export const toDeletionFields = (deletion: ViewedDeletion) => ({
  id: deletion.id,
  status: statusOf(deletion),
  expectedTraces: deletion.expected,
  deleted: { ...deletion.counts },
  requestedAt: deletion.requestedAt.toISOString(),
  requestedBy: deletion.requestedByName,
  deletedAt: deletion.doneAt?.toISOString() ?? null,
  finishedAt: deletion.status === 'done' ? deletion.changedAt.toISOString() : null,
  problem: deletion.problem ?? null,
})

function statusOf({ status, doneAt, isCancelled = false }: ViewedDeletion): DeletionState {
  if (status === 'done') return 'done'
  if (isCancelled) return 'cancelled'
  return doneAt === undefined ? 'running' : 'purging'
}

/** A trace deletion as the interface returns it. */
export function toDeletionView(deletion: ViewedDeletion): DeletionView {
  // Safe: `readSelection` created it.
  const selection = JSON.parse(deletion.selection ?? '{"ids":[]}') as StoredSelection
  return {
    ...toDeletionFields(deletion),
    traceIds: 'ids' in selection ? selection.ids.length : null,
    filter: 'filter' in selection ? { ...selection.filter } : null,
  }
}
