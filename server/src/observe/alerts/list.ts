import type { operations } from '@plumbline/contract'
import type { Verb } from '../../requests/verb.ts'
import { toAlert } from './view.ts'

export const list: Verb<typeof operations.alerts.list> = async (_input, { workspace }) => ({
  alerts: (await workspace.alerts.list()).map(toAlert),
})
