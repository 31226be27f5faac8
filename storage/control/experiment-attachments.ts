/** Traces that joined an experiment after they were recorded: what the trace store is to say of them. */
import type { Database, Sql } from './sql.ts'
import type { WorkspaceDb } from './workspace.ts'

export type Attachment = {
  readonly traceId: string
  readonly experimentId: string
  /** The row that an endpoint made the trace of; empty where the trace says it itself. */
  readonly datasetRowId: string
  /** Those of one time were asked for together. */
  readonly createdAt: Date
}

type AttachmentRow = { trace_id: string; experiment_id: string; dataset_row_id: string; created_at: number }

const tracesPerStatement = 500

/** Writes down what is about to be stored; a trace that has joined before stays where it is. */
export function add(
  db: WorkspaceDb,
  attachments: readonly Omit<Attachment, 'createdAt'>[],
  now: Date,
): Promise<void> {
  return db.keepBooks(async ({ sql, workspaceId }) => {
    const rows = attachments
      .toSorted((one, other) => (one.traceId < other.traceId ? -1 : 1))
      .map((of) => [workspaceId, of.traceId, of.experimentId, of.datasetRowId, 0, now.getTime()])
    for (let start = 0; start < rows.length; start += tracesPerStatement)
      await sql`
        INSERT INTO experiment_attachments
          (workspace_id, trace_id, experiment_id, dataset_row_id, is_stored, created_at)
        VALUES ${rows.slice(start, start + tracesPerStatement)} ON CONFLICT (workspace_id, trace_id) DO NOTHING`
  })
}

/** The trace store says it too. */
export function stored(db: WorkspaceDb, traceIds: readonly string[]): Promise<void> {
  return db.keepBooks(async ({ sql, workspaceId }) => {
    for (let start = 0; start < traceIds.length; start += tracesPerStatement)
      await sql`
        UPDATE experiment_attachments SET is_stored = 1
        WHERE workspace_id = ${workspaceId} AND trace_id IN (${traceIds.slice(start, start + tracesPerStatement)})`
  })
}

/** Those of some traces, by primary key. */
export async function ofTraces(
  { sql, workspaceId }: WorkspaceDb,
  traceIds: readonly string[],
): Promise<Attachment[]> {
  const found: AttachmentRow[] = []
  for (let start = 0; start < traceIds.length; start += tracesPerStatement)
    found.push(
      ...(await sql<AttachmentRow>`
        SELECT trace_id, experiment_id, dataset_row_id, created_at FROM experiment_attachments
        WHERE workspace_id = ${workspaceId} AND trace_id IN (${traceIds.slice(start, start + tracesPerStatement)})`),
    )
  return found.map(toAttachment)
}

/** Those of some experiments. */
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

export type AttachmentBooks = ReturnType<typeof attachmentBooks>

/** What a process that died has left, of the installation. */
export function attachmentBooks({ sql }: Database) {
  return {
    /** Those that the trace store may not say yet, and that are no longer being written, by workspace. */
    unstored: (before: Date) => unstored(sql, before),
  }
}

async function unstored(sql: Sql, before: Date): Promise<Map<string, Attachment[]>> {
  const rows = await sql<AttachmentRow & { workspace_id: string }>`
    SELECT workspace_id, trace_id, experiment_id, dataset_row_id, created_at FROM experiment_attachments
    WHERE is_stored = 0 AND created_at < ${before.getTime()}`
  return new Map(
    [...Map.groupBy(rows, (row) => row.workspace_id)].map(([workspaceId, of]) => [
      workspaceId,
      of.map(toAttachment),
    ]),
  )
}
