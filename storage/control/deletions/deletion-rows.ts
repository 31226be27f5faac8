import { readTime } from '../unreadable-rows.ts'

const deletionTypes = ['traces', 'user', 'organization'] as const
export type DeletionType = (typeof deletionTypes)[number]

/** How many rows were deleted or found, by place. */
export type PlaceCounts = Readonly<Record<string, number>>

/** A deletion of traces, or an erasure of an end user or an organization. */
export type Deletion = {
  id: string
  workspaceId: string
  type: DeletionType
  /** JSON text; undefined once a subject is erased. */
  selection: string | undefined
  requestHash: string
  status: 'running' | 'done'
  /** JSON text: the step and its state. */
  progress: string
  counts: PlaceCounts
  /** Traces that matched when it was requested. */
  expected: number
  problem: string | undefined
  checks: PlaceCounts | undefined
  requestedBy: string
  requestedByName: string
  requestedAt: Date
  changedAt: Date
  doneAt: Date | undefined
}

export type DeletionRow = {
  id: string
  workspace_id: string
  type: DeletionType
  selection: string | null
  request_hash: string
  status: Deletion['status']
  progress: string
  counts: string
  expected: number
  problem: string | null
  checks: string | null
  requested_by: string
  requested_by_name: string
  requested_at: number
  changed_at: number
  done_at: number | null
}

export const toDeletion = (row: DeletionRow): Deletion => ({
  id: row.id,
  workspaceId: row.workspace_id,
  type: row.type,
  selection: row.selection ?? undefined,
  requestHash: row.request_hash,
  status: row.status,
  progress: row.progress,
  // Safe: only counts are written to these columns.
  counts: JSON.parse(row.counts) as PlaceCounts,
  checks: row.checks === null ? undefined : (JSON.parse(row.checks) as PlaceCounts),
  expected: row.expected,
  problem: row.problem ?? undefined,
  requestedBy: row.requested_by,
  requestedByName: row.requested_by_name,
  requestedAt: readTime(row.requested_at, 'requested_at'),
  changedAt: readTime(row.changed_at, 'changed_at'),
  doneAt: row.done_at === null ? undefined : readTime(row.done_at, 'done_at'),
})
