import type { operations } from '@plumbline/contract'
import type { Verb } from '../../requests/verb.ts'
import { toRecomputationView } from './view.ts'

export const list: Verb<typeof operations.recomputations.list> = async (_input, { workspace }) => ({
  recomputations: (await workspace.recomputations.list()).map(toRecomputationView),
})
