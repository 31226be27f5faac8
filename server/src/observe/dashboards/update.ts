import type { operations } from '@plumbline/contract'
import { mapStorageErrors } from '../../requests/map-storage-errors.ts'
import type { Verb } from '../../requests/verb.ts'
import { toCharts } from './charts.ts'
import { toDashboard } from './view.ts'

export const update: Verb<typeof operations.dashboards.update> = async (input, { workspace, now }) => {
  const { slug, name, description, charts, revision } = input
  const change = {
    ...(name && { name }),
    ...(typeof description === 'string' && { description }),
    ...(charts && { charts: toCharts(charts) }),
    expectedRevision: revision,
  }
  return { dashboard: toDashboard(await mapStorageErrors(workspace.dashboards.update(slug, change, now))) }
}
