import type { operations } from '@plumbline/contract'
import type { Verb } from '../../requests/verb.ts'
import { readAuditSettings } from './read-audit-settings.ts'

export const settings: Verb<typeof operations.audit.settings> = async (_input, { workspace }) => ({
  settings: await readAuditSettings(workspace),
})
