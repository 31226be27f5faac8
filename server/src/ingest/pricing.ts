/** The price module: price operations, the installation's price lists, and recomputation of stored costs. */
import type { Jobs } from '../jobs/jobs.ts'
import { makeTimer } from '../jobs/timer.ts'
import type { Module } from '../module.ts'
import type { Foundation } from '../process/foundation.ts'
import type { Workspaces } from '../workspace/workspace.ts'
import { makePriceLists } from './prices/price-lists.ts'
import { priceRoutes } from './prices/routes.ts'
import { makeRecomputing } from './recomputations/recomputing.ts'
import { recomputationRoutes } from './recomputations/routes.ts'
import type { Recording } from './recording.ts'

interface PricingDeps {
  readonly jobs: Jobs
  readonly recording: Recording
  readonly workspaces: Workspaces
}

/** How often a node checks whether another node has installed a price list. */
const pollIntervalMs = 30_000
const dayMs = 86_400_000

export function makePricing(foundation: Foundation, { jobs, recording, workspaces }: PricingDeps): Module {
  const { control, traceStore, config, dataFolder, logger, now } = foundation
  const priceLists = makePriceLists({
    store: control.priceLists,
    dataFolder,
    setInWorkers: recording.setPriceList,
    source: config.PLUMBLINE_PRICES,
    now,
  })
  const recomputing = makeRecomputing({
    control,
    traceStore,
    jobs,
    priceLists,
    workspaceOf: workspaces.of,
    settle: recording.settle,
    changeTraces: recording.changeTraces,
    now,
  })
  if (config.PLUMBLINE_PRICES !== undefined)
    jobs.schedule('prices.update', dayMs, async () => {
      const { version } = await priceLists.update()
      logger.info({ version }, 'the price list is up to date')
    })
  return {
    routes: [...priceRoutes(priceLists), ...recomputationRoutes(priceLists, recomputing)],
    services: [
      { name: 'the price list', start: priceLists.refresh, stop: async () => {} },
      makeTimer({ name: 'the price list', everyMs: pollIntervalMs, tick: priceLists.refresh, logger }),
      { name: 'recomputations', start: recomputing.start, stop: async () => {} },
    ],
  }
}
