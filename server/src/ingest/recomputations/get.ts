import type { operations } from '@plumbline/contract'
import type { Verb } from '../../requests/verb.ts'
import { findRecomputation, toRecomputationView } from './view.ts'

export const get: Verb<typeof operations.recomputations.get> = async ({ id }, { workspace }) => ({
  recomputation: toRecomputationView(await findRecomputation(workspace, id)),
})
