import type { operations } from '@plumbline/contract'
import type { Verb } from '../../requests/verb.ts'
import { toDashboard } from './view.ts'

export const list: Verb<typeof operations.dashboards.list> = async (_input, { workspace }) => ({
  dashboards: (await workspace.dashboards.list()).map(toDashboard),
})
