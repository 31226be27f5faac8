import type { operations } from '@plumbline/contract'
import { mapConflict } from '../../requests/map-storage-errors.ts'
import type { Verb } from '../../requests/verb.ts'
import { toCharts } from './charts.ts'
import { toDashboard } from './view.ts'

export const create: Verb<typeof operations.dashboards.create> = async (input, { workspace, now }) => {
  const { slug, name, description = '', charts = [] } = input
  const created = workspace.dashboards.create({ slug, name, description, charts: toCharts(charts) }, now)
  return { dashboard: toDashboard(await mapConflict('dashboard', slug, created)) }
}
