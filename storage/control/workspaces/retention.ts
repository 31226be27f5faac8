import type { WorkspaceDb, WorkspaceSql } from '../store/workspace.ts'

/** How many days something is kept; undefined keeps it forever. */
export type RetentionRules = {
  /** Traces with their logs and scores. */
  readonly days: number | undefined
  /** Traces of single features, whatever `days` says. */
  readonly features: readonly { readonly featureSlug: string; readonly days: number | undefined }[]
  readonly ledgerSampleDays: number | undefined
  /** Files that nothing refers to. */
  readonly fileDays: number | undefined
}

type StoredRules = {
  readonly features?: readonly { featureSlug: string; days: number | null }[]
  readonly ledgerSampleDays?: number
  readonly fileDays?: number
}

/** The rules of the workspace, by its primary key. */
export async function find({ sql, workspaceId }: WorkspaceSql): Promise<RetentionRules> {
  const [workspace] = await sql<{ retention_days: number | null; retention_rules: string | null }>`
    SELECT retention_days, retention_rules FROM workspaces WHERE id = ${workspaceId}`
  // Safe: only `update` writes this column.
  const stored = JSON.parse(workspace?.retention_rules ?? '{}') as StoredRules
  return {
    days: workspace?.retention_days ?? undefined,
    features: (stored.features ?? []).map(({ featureSlug, days }) => ({
      featureSlug,
      days: days ?? undefined,
    })),
    ledgerSampleDays: stored.ledgerSampleDays,
    fileDays: stored.fileDays,
  }
}

/** Changes the given rules; returns those that apply now. */
export function update(db: WorkspaceDb, change: Partial<RetentionRules>): Promise<RetentionRules> {
  return db.mutate(async (tx) => {
    const { sql, workspaceId } = tx
    const rules = { ...(await find(tx)), ...change }
    const stored = {
      features: rules.features.map(({ featureSlug, days }) => ({ featureSlug, days: days ?? null })),
      ledgerSampleDays: rules.ledgerSampleDays,
      fileDays: rules.fileDays,
    }
    await sql`
      UPDATE workspaces SET retention_days = ${rules.days ?? null}, retention_rules = ${JSON.stringify(stored)}
      WHERE id = ${workspaceId}`
    return rules
  })
}
