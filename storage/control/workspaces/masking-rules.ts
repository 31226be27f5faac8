import type { MaskingRule } from '@plumbline/contract'
import type { WorkspaceDb } from '../store/workspace.ts'

/** The masking rules, in order; empty if never set. By primary key. */
export async function list({ sql, workspaceId }: WorkspaceDb): Promise<MaskingRule[]> {
  const [row] = await sql<{
    rules: string
  }>`SELECT rules FROM masking_rules WHERE workspace_id = ${workspaceId}`
  // Safe: only `replace` writes it. Invalid JSON throws: without its rules a workspace must not record.
  return row === undefined ? [] : (JSON.parse(row.rules) as MaskingRule[])
}

/** Replaces all rules. */
export function replace(db: WorkspaceDb, rules: readonly MaskingRule[], now: Date): Promise<void> {
  return db.mutate(async ({ sql, workspaceId }) => {
    await sql`
      INSERT INTO masking_rules (workspace_id, rules, updated_at)
      VALUES (${workspaceId}, ${JSON.stringify(rules)}, ${now.getTime()})
      ON CONFLICT (workspace_id) DO UPDATE SET rules = excluded.rules, updated_at = excluded.updated_at`
  })
}
