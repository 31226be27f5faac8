import type { WorkspaceDb } from '../store/workspace.ts'

/** Where entries are sent. This package never decrypts `sealed`. */
export type AuditWebhook = { readonly target: string; readonly sealed: string }

export type AuditSettings = {
  /** Days for which entries are kept; undefined means forever. */
  readonly days: number | undefined
  readonly webhook: AuditWebhook | undefined
}

/** Undefined leaves a field unchanged; null means forever, or no webhook. */
export type AuditSettingsChange = {
  readonly days?: number | null | undefined
  readonly webhook?: AuditWebhook | null | undefined
}

/** The default until it is set. */
export const auditDaysDefault = 365

/** Served by the primary keys. */
export async function find({ sql, workspaceId }: WorkspaceDb): Promise<AuditSettings> {
  const [retention] = await sql<{ days: number | null }>`
    SELECT days FROM audit_retention WHERE workspace_id = ${workspaceId}`
  const [webhook] = await sql<AuditWebhook>`
    SELECT target, sealed FROM audit_webhooks WHERE workspace_id = ${workspaceId}`
  return { days: retention === undefined ? auditDaysDefault : (retention.days ?? undefined), webhook }
}

export function change(db: WorkspaceDb, { days, webhook }: AuditSettingsChange, now: Date): Promise<void> {
  return db.mutate(async ({ sql, workspaceId }) => {
    if (days !== undefined)
      await sql`
        INSERT INTO audit_retention (workspace_id, days, expired_before) VALUES (${workspaceId}, ${days}, 0)
        ON CONFLICT (workspace_id) DO UPDATE SET days = excluded.days`
    if (webhook === undefined) return
    await sql`DELETE FROM audit_webhooks WHERE workspace_id = ${workspaceId}`
    if (webhook !== null)
      await sql`
        INSERT INTO audit_webhooks (workspace_id, target, sealed, created_at)
        VALUES (${workspaceId}, ${webhook.target}, ${webhook.sealed}, ${now.getTime()})`
  })
}
