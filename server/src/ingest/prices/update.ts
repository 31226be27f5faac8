import { invalid, type operations, ServiceError } from '@plumbline/contract'
import { defaultWorkspaceId } from '@plumbline/storage/control'
import type { Verb } from '../../requests/verb.ts'
import { PriceListProblem } from '../usage/check-price-list.ts'
import { toPriceListView } from './lists.ts'
import type { PriceLists } from './price-lists.ts'

/** Installs the list of the request, else that of the configured source. */
export const update =
  (priceLists: PriceLists): Verb<typeof operations.prices.update> =>
  async ({ list }, { caller }) => {
    if (list == null && !priceLists.hasSource)
      throw invalid('list', 'is required, since the setting PLUMBLINE_PRICES names no price list')
    // Users only get here as operators; a key of another workspace must not change the prices of all workspaces.
    if (caller.session === undefined && caller.workspaceId !== defaultWorkspaceId)
      throw new ServiceError('forbidden', {
        problem: 'Only API keys of the first workspace with the scope "operate" may install a price list.',
      })
    try {
      const installed = list == null ? await priceLists.update() : await priceLists.install(list, caller.name)
      return { priceList: toPriceListView(installed) }
    } catch (error) {
      if (!(error instanceof PriceListProblem)) throw error
      const [, path = 'list', problem = error.message] = /^([\w.[\]]+): (.*)$/s.exec(error.message) ?? []
      throw invalid(path, problem)
    }
  }
