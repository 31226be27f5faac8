import type { operations } from '@plumbline/contract'
import type { Verb } from '../../requests/verb.ts'
import { toSummary } from './summary.ts'

export const list: Verb<typeof operations.datasets.list> = async (_input, { workspace }) => ({
  datasets: (await workspace.datasets.list()).map(toSummary),
})
