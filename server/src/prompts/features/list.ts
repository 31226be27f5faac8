import type { operations } from '@plumbline/contract'
import type { Verb } from '../../requests/verb.ts'
import { toFeature } from './view.ts'

export const list: Verb<typeof operations.features.list> = async (_input, { workspace }) => ({
  features: (await workspace.features.list()).map(toFeature),
})
