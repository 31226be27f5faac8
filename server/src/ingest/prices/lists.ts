import type { operations, PriceList } from '@plumbline/contract'
import type { Verb } from '../../requests/verb.ts'
import type { ListedPriceList, PriceLists } from './price-lists.ts'

export const lists =
  (priceLists: PriceLists): Verb<typeof operations.prices.lists> =>
  async () => ({ priceLists: (await priceLists.list()).map(toPriceListView) })

export const toPriceListView = ({ installedAt, ...list }: ListedPriceList): PriceList => ({
  ...list,
  ...(installedAt === undefined ? {} : { installedAt: installedAt.toISOString() }),
})
