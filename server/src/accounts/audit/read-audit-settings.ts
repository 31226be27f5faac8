import type { AuditLogSettings } from '@plumbline/contract'
import type { Workspace } from '../../workspace/workspace.ts'

/** The settings of the audit log as the interface returns them. */
export async function readAuditSettings({
  auditSettings,
}: Pick<Workspace, 'auditSettings'>): Promise<AuditLogSettings> {
  const { days, webhook } = await auditSettings.find()
  return { days: days ?? null, webhook: webhook?.target ?? null }
}
