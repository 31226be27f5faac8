import type { WorkspaceSql } from '../store/workspace.ts'

const positionsPerStatement = 1000

/**
 * Before rows are changed or deleted, copies them to the history for the versions of their dataset; rows that are in no
 * version are not copied. By primary key.
 */
export async function keepRows(
  { sql, workspaceId }: WorkspaceSql,
  datasetId: string,
  positions: readonly number[],
): Promise<void> {
  for (let start = 0; start < positions.length; start += positionsPerStatement)
    await sql`
      INSERT INTO dataset_row_history (dataset_id, position, since_version, until_version, id, workspace_id, name,
        row_values, ideal_output, metadata, split, labels, created_at)
      SELECT r.dataset_id, r.position, r.since_version, d.last_version, r.id, r.workspace_id, r.name,
        r.row_values, r.ideal_output, r.metadata, r.split, r.labels, r.created_at
      FROM dataset_rows r JOIN datasets d ON d.id = r.dataset_id
      WHERE r.workspace_id = ${workspaceId} AND r.dataset_id = ${datasetId} AND r.since_version <= d.last_version
        AND r.position IN (${positions.slice(start, start + positionsPerStatement)})`
}
