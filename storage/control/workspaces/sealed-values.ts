/**
 * Encrypted values of all workspaces, and the secrets of earlier versions that decrypted them. This package never
 * decrypts: the caller passes a function that does.
 */
import type { Database, Sql } from '../store/sql.ts'

/** A stored value. */
export type SealedValue = {
  readonly sealed: string
  readonly workspaceId: string
  /** Whether the value is still needed: the headers of a run that has ended are kept but never sent again. */
  readonly isInUse: boolean
}

type Row = { id: string; workspace_id: string; sealed: string; in_use: number }

/** Replaces values for which `reseal` returns another text, and deletes the retired secrets, in one transaction. */
export function resealAll(
  database: Database,
  reseal: (value: SealedValue) => string,
  retiredSecrets: readonly string[],
): Promise<void> {
  return database.transaction(async (sql) => {
    const changedWorkspaces = new Set<string>()
    const resealRows = async (rows: Row[], update: (row: Row, sealed: string) => Promise<unknown>) => {
      for (const row of rows) {
        const { workspace_id: workspaceId, in_use } = row
        const sealed = reseal({ sealed: row.sealed, workspaceId, isInUse: in_use === 1 })
        if (sealed === row.sealed) continue
        await update(row, sealed)
        changedWorkspaces.add(workspaceId)
      }
    }
    await resealRows(
      await sql<Row>`
        SELECT id, workspace_id, sealed_key AS sealed, 1 AS in_use FROM connections WHERE sealed_key IS NOT NULL`,
      (row, sealedText) => sql`UPDATE connections SET sealed_key = ${sealedText}
        WHERE workspace_id = ${row.workspace_id} AND id = ${row.id} AND sealed_key = ${row.sealed}`,
    )
    await resealRows(
      await sql<Row>`SELECT id, workspace_id, sealed, 1 AS in_use FROM channels`,
      (row, sealedText) => sql`UPDATE channels SET sealed = ${sealedText}
        WHERE workspace_id = ${row.workspace_id} AND id = ${row.id} AND sealed = ${row.sealed}`,
    )
    await resealRows(
      await sql<Row>`SELECT workspace_id AS id, workspace_id, sealed, 1 AS in_use FROM audit_webhooks`,
      (row, sealedText) => sql`UPDATE audit_webhooks SET sealed = ${sealedText}
        WHERE workspace_id = ${row.workspace_id} AND sealed = ${row.sealed}`,
    )
    await resealRows(
      await sql<Row>`
        SELECT id, workspace_id, sealed_headers AS sealed, CASE WHEN ended_at IS NULL THEN 1 ELSE 0 END AS in_use
        FROM experiment_runs WHERE sealed_headers IS NOT NULL`,
      (row, sealedText) => sql`UPDATE experiment_runs SET sealed_headers = ${sealedText}
        WHERE workspace_id = ${row.workspace_id} AND id = ${row.id} AND sealed_headers = ${row.sealed}`,
    )
    await sql`UPDATE workspaces SET revision = revision + 1 WHERE id IN (${[...changedWorkspaces]})`
    await deleteSecrets(sql, retiredSecrets)
  })
}

const deleteSecrets = (sql: Sql, names: readonly string[]) =>
  sql`DELETE FROM secrets WHERE name IN (${[...names]})`
