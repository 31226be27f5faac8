import { type operations, ServiceError } from '@plumbline/contract'
import type { Verb } from '../../requests/verb.ts'
import { toDashboard } from './view.ts'

export const get: Verb<typeof operations.dashboards.get> = async ({ slug }, { workspace }) => {
  const dashboard = await workspace.dashboards.find(slug)
  if (dashboard === undefined) throw new ServiceError('dashboard_not_found', { slug })
  return { dashboard: toDashboard(dashboard) }
}
