import type { operations } from '@plumbline/contract'
import type { Verb } from '../../requests/verb.ts'
import { readAuditSettings } from './read-audit-settings.ts'

export const configure: Verb<typeof operations.audit.configure> = async ({ days }, { workspace, now }) => {
  await workspace.auditSettings.change({ days }, now)
  return { settings: await readAuditSettings(workspace) }
}
