import type { operations } from '@plumbline/contract'
import type { Verb } from '../../requests/verb.ts'
import { toEvaluator } from './view.ts'

export const list: Verb<typeof operations.evaluators.list> = async (_input, { workspace }) => ({
  evaluators: (await workspace.evaluators.list()).map(toEvaluator),
})
