/** Traces that joined an experiment after they were recorded, until the trace store has been updated. */
import type { Database, Sql } from '../store/sql.ts'
import type { WorkspaceDb } from '../store/workspace.ts'

export type Attachment = {
  readonly traceId: string
  readonly experimentId: string
  /** The dataset row that an endpoint processed; empty if the trace metadata contains it. */
  readonly datasetRowId: string
  /** The same for attachments of one request. */
  readonly createdAt: Date
}

type AttachmentRow = { trace_id: string; experiment_id: string; dataset_row_id: string; created_at: number }

const tracesPerStatement = 500

/** Records attachments before the trace store is updated; a trace that already joined an experiment stays in it. */
export function add(
  db: WorkspaceDb,
  attachments: readonly Omit<Attachment, 'createdAt'>[],
  now: Date,
): Promise<void> {
  return db.transaction(async ({ sql, workspaceId }) => {
    const rows = attachments
      .toSorted((a, b) => (a.traceId < b.traceId ? -1 : 1))
      .map((attachment) => [
        workspaceId,
        attachment.traceId,
        attachment.experimentId,
        attachment.datasetRowId,
        0,
        now.getTime(),
      ])
    for (let start = 0; start < rows.length; start += tracesPerStatement)
      await sql`
        INSERT INTO experiment_attachments
          (workspace_id, trace_id, experiment_id, dataset_row_id, is_stored, created_at)
        VALUES ${rows.slice(start, start + tracesPerStatement)} ON CONFLICT (workspace_id, trace_id) DO NOTHING`
  })
}

/** Marks attachments as stored in the trace store. */
export function markStored(db: WorkspaceDb, traceIds: readonly string[]): Promise<void> {
  return db.transaction(async ({ sql, workspaceId }) => {
    for (let start = 0; start < traceIds.length; start += tracesPerStatement)
      await sql`
        UPDATE experiment_attachments SET is_stored = 1
        WHERE workspace_id = ${workspaceId} AND trace_id IN (${traceIds.slice(start, start + tracesPerStatement)})`
  })
}

/** Attachments of traces, by primary key. */
export async function ofTraces(
  { sql, workspaceId }: WorkspaceDb,
  traceIds: readonly string[],
): Promise<Attachment[]> {
  const rows: AttachmentRow[] = []
  for (let start = 0; start < traceIds.length; start += tracesPerStatement)
    rows.push(
      ...(await sql<AttachmentRow>`
        SELECT trace_id, experiment_id, dataset_row_id, created_at FROM experiment_attachments
        WHERE workspace_id = ${workspaceId} AND trace_id IN (${traceIds.slice(start, start + tracesPerStatement)})`),
    )
  return rows.map(toAttachment)
}

/** Attachments of experiments. */
export async function ofExperiments(
  { sql, workspaceId }: WorkspaceDb,
  experimentIds: readonly string[],
): Promise<Attachment[]> {
  const rows = await sql<AttachmentRow>`
    SELECT trace_id, experiment_id, dataset_row_id, created_at FROM experiment_attachments
    WHERE workspace_id = ${workspaceId} AND experiment_id IN (${experimentIds})`
  return rows.map(toAttachment)
}

const toAttachment = (row: AttachmentRow): Attachment => ({
  traceId: row.trace_id,
  experimentId: row.experiment_id,
  datasetRowId: row.dataset_row_id,
  createdAt: new Date(row.created_at),
})

export type AttachmentStore = ReturnType<typeof attachmentStore>

/** Recovery of attachments that a dead process left, across workspaces. */
export function attachmentStore({ sql }: Database) {
  return {
    /** Attachments before a cutoff that the trace store may not have yet, by workspace. */
    unstored: (cutoff: Date) => listUnstored(sql, cutoff),
  }
}

async function listUnstored(sql: Sql, cutoff: Date): Promise<Map<string, Attachment[]>> {
  const rows = await sql<AttachmentRow & { workspace_id: string }>`
    SELECT workspace_id, trace_id, experiment_id, dataset_row_id, created_at FROM experiment_attachments
    WHERE is_stored = 0 AND created_at < ${cutoff.getTime()}`
  return new Map(
    [...Map.groupBy(rows, (row) => row.workspace_id)].map(([workspaceId, workspaceRows]) => [
      workspaceId,
      workspaceRows.map(toAttachment),
    ]),
  )
}
