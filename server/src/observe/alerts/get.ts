import { type operations, ServiceError } from '@plumbline/contract'
import type { Verb } from '../../requests/verb.ts'
import { toAlert } from './view.ts'

export const get: Verb<typeof operations.alerts.get> = async ({ id }, { workspace }) => {
  const alert = await workspace.alerts.find(id)
  if (alert === undefined) throw new ServiceError('alert_not_found', { id })
  return { alert: toAlert(alert) }
}
