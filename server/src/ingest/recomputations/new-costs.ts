/** The cost of a stored trace by another price list. Pure. */
import type { LogRow, StoredTrace } from '@plumbline/storage/traces'
import { mainBuckets } from '../usage/buckets.ts'
import { type CostDetail, priceUsage, withReport } from '../usage/price.ts'
import type { PriceList } from '../usage/price-list.ts'
import type { PriceOverride } from '../usage/price-override.ts'
import { anyBeside, costOf, parentsOf } from '../usage/totals.ts'

export interface Prices {
  readonly list: PriceList
  /** The price overrides of the workspace. */
  readonly overrides: readonly PriceOverride[]
}

export interface NewLogCost {
  readonly position: number
  readonly cost: number | null
  readonly costEstimate: number | null
  readonly costDetail: string | null
  readonly costInTotals: number | null
}

export interface NewCosts {
  readonly cost: number | null
  readonly logs: readonly NewLogCost[]
}

/** The costs that change; undefined if none does. Models that the list does not have keep their cost. */
export function newCostsOf({ logs }: Pick<StoredTrace, 'logs'>, prices: Prices): NewCosts | undefined {
  const isElsewhere = whetherReportedElsewhere(logs)
  const changed = logs.flatMap((log, index) => newLogCost(log, prices, isElsewhere[index] === true) ?? [])
  if (changed.length === 0) return undefined
  const byPosition = new Map(changed.map((log) => [log.position, log.costInTotals]))
  const counted = logs.flatMap((log) =>
    byPosition.has(log.position) ? (byPosition.get(log.position) ?? []) : (log.costInTotals ?? []),
  )
  return { cost: counted.length === 0 ? null : counted.reduce((sum, cost) => sum + cost, 0), logs: changed }
}

/** Whether the cost of each log is already in that of a log around or below it, which the client reported. */
function whetherReportedElsewhere(logs: readonly LogRow[]): boolean[] {
  const reports = logs.map((log) => log.costInTotals !== null && (reportedCost(log) ?? 0) > 0)
  return anyBeside(reports, parentsOf(logs.map(({ logId, parentId }) => ({ id: logId, parentId }))))
}

function newLogCost(log: LogRow, prices: Prices, isElsewhere: boolean): NewLogCost | undefined {
  const detail = detailOf(log, prices)
  if (detail === null || isSame(detail.total, log.costEstimate)) return undefined
  const reported = reportedCost(log)
  // Estimates do not change whether a reported cost counts.
  const isSettled = (reported ?? 0) > 0 || isElsewhere || !log.countsInTotals
  return {
    position: log.position,
    cost: reported ?? detail.total,
    costEstimate: detail.total,
    costDetail: JSON.stringify({ ...withReport(detail, reported), previous: previousOf(log) }),
    costInTotals: isSettled ? log.costInTotals : costOf({ cost: reported, costEstimate: detail.total }),
  }
}

/** The cost that the client sent; null if the stored one is our own. */
const reportedCost = (log: LogRow): number | null =>
  log.cost !== log.costEstimate || storedDetail(log)?.isReported === true ? log.cost : null

/** Null for a log without tokens, and for a model without a price. */
function detailOf(log: LogRow, { list, overrides }: Prices): CostDetail | null {
  if (log.freshInputTokens === null) return null
  const [freshInput, cacheRead, cacheWrite, textOutput, reasoning] = mainBuckets.map(
    (bucket) => log[`${bucket}Tokens`] ?? 0,
  ) as [number, number, number, number, number]
  return priceUsage(
    {
      provider: log.provider,
      model: log.model,
      time: new Date(Number((log.startUs ?? log.traceStartUs) / 1000n)),
      buckets: { freshInput, cacheRead, cacheWrite, textOutput, reasoning, ...log.otherTokens },
      serviceTier: log.serviceTier,
      overrides,
    },
    list,
  )
}

/** A smaller relative difference is a rounding error. */
const isSame = (cost: number, oldCost: number | null): boolean =>
  oldCost !== null && Math.abs(cost - oldCost) <= 1e-12 * Math.max(cost, oldCost)

/** The previous cost, with the list that it was computed with. */
function previousOf(log: LogRow): object {
  const detail = storedDetail(log)
  return { total: log.costEstimate, source: detail?.source ?? null, list: detail?.list ?? null }
}

const storedDetail = ({ costDetail }: LogRow): Partial<CostDetail> | null =>
  // Safe: the row was made from a detail, possibly with an earlier cost.
  costDetail === null ? null : (JSON.parse(costDetail) as Partial<CostDetail>)
