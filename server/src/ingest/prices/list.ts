import type { operations } from '@plumbline/contract'
import type { Verb } from '../../requests/verb.ts'
import { toPriceOverride } from './view.ts'

export const list: Verb<typeof operations.prices.list> = async (_input, { workspace }) => ({
  priceOverrides: (await workspace.prices.list()).map(toPriceOverride),
})
