/** Rows of the control plane that belong to traces and are deleted with them. */
import type { WorkspaceDb } from '../store/workspace.ts'
import { removeOfSubjects } from '../workspaces/comments.ts'
import type { PlaceCounts } from './deletion-rows.ts'

const idsPerStatement = 500

/** Deletes what belongs to some traces; idempotent. */
export async function remove(db: WorkspaceDb, traceIds: readonly string[]): Promise<PlaceCounts> {
  const counts = {
    evaluations: 0,
    annotationItems: 0,
    experimentAttachments: 0,
    experimentCases: 0,
    comments: 0,
    shares: 0,
  }
  for (let start = 0; start < traceIds.length; start += idsPerStatement) {
    const ids = traceIds.slice(start, start + idsPerStatement)
    await db.transaction(async ({ sql, workspaceId }) => {
      // Served by evaluations_by_trace.
      const evaluations = await sql`
        DELETE FROM evaluations WHERE workspace_id = ${workspaceId} AND trace_id IN (${ids}) RETURNING id`
      // Served by annotation_items_by_trace, which begins with the queue.
      const items = await sql<{ id: string }>`
        SELECT id FROM annotation_items WHERE workspace_id = ${workspaceId} AND trace_id IN (${ids})
          AND queue_id IN (SELECT id FROM annotation_queues WHERE workspace_id = ${workspaceId})`
      const itemIds = items.map(({ id }) => id)
      await sql`DELETE FROM annotation_assignments WHERE workspace_id = ${workspaceId} AND item_id IN (${itemIds})`
      await sql`DELETE FROM annotation_items WHERE workspace_id = ${workspaceId} AND id IN (${itemIds})`
      // Served by the primary key.
      const attachments = await sql`
        DELETE FROM experiment_attachments WHERE workspace_id = ${workspaceId} AND trace_id IN (${ids})
        RETURNING trace_id`
      // By experiment_run_cases_by_trace. The case did run, which stays recorded without its trace.
      const cases = await sql`
        UPDATE experiment_run_cases SET trace_id = NULL
        WHERE workspace_id = ${workspaceId} AND trace_id IN (${ids}) RETURNING run_id`
      counts.comments += await removeOfSubjects({ sql, workspaceId }, 'trace', ids)
      // Served by shares_by_trace.
      const shares = await sql`
        DELETE FROM shares WHERE workspace_id = ${workspaceId} AND trace_id IN (${ids}) RETURNING id`
      counts.shares += shares.length
      counts.evaluations += evaluations.length
      counts.annotationItems += items.length
      counts.experimentAttachments += attachments.length
      counts.experimentCases += cases.length
    })
  }
  return counts
}

/** Marks OpenTelemetry traces as deleted, so that they are not assembled again and their late spans are dropped; by primary key. */
export async function markDeleted(
  db: WorkspaceDb,
  otelTraceIds: readonly string[],
  now: Date,
): Promise<void> {
  const ids = otelTraceIds.toSorted()
  for (let start = 0; start < ids.length; start += idsPerStatement)
    await db.transaction(
      ({ sql, workspaceId }) => sql`
        UPDATE assemblies SET deleted_at = COALESCE(deleted_at, ${now.getTime()}), to_judge = NULL, traces = '[]',
          digest = '', arrivals = arrivals + 1, due_at = NULL
        WHERE workspace_id = ${workspaceId} AND otel_trace_id IN (${ids.slice(start, start + idsPerStatement)})`,
    )
}

/**
 * Marks a score reported by spans as deleted, so that it does not return when their trace is assembled again; false if
 * the trace is not tracked and so is never assembled again. By primary key.
 */
export async function markScoreDeleted(
  { sql, workspaceId }: WorkspaceDb,
  { otelTraceId, scoreId }: { readonly otelTraceId: string; readonly scoreId: string },
): Promise<boolean> {
  const rows = await sql`
    UPDATE assemblies SET deleted_scores = COALESCE(deleted_scores || ' ', '') || CAST(${scoreId} AS text)
    WHERE workspace_id = ${workspaceId} AND otel_trace_id = ${otelTraceId} RETURNING otel_trace_id`
  return rows.length > 0
}
