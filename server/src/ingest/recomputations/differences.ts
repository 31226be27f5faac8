/** Sums the costs of generations before and after, by feature and model. */
import type { CostDifference } from '@plumbline/contract'
import type { LogRow, StoredTrace } from '@plumbline/storage/traces'
import type { NewCosts } from './new-costs.ts'

export interface Differences {
  add(trace: StoredTrace, newCosts: NewCosts): void
  /** The largest first. */
  list(): CostDifference[]
}

type Sum = { -readonly [Key in keyof CostDifference]: CostDifference[Key] }

export function makeDifferences(): Differences {
  const sums = new Map<string, Sum>()
  const sumOf = ({ featureSlug, provider, model }: LogRow): Sum => {
    const key = JSON.stringify([featureSlug, provider, model])
    const earlier = sums.get(key)
    if (earlier !== undefined) return earlier
    const sum = { featureSlug, provider, model, generations: 0, before: 0, after: 0, unpricedBefore: 0 }
    sums.set(key, sum)
    return sum
  }
  return {
    add({ logs }, newCosts) {
      const byPosition = new Map(logs.map((log) => [log.position, log]))
      for (const { position, costInTotals } of newCosts.logs) {
        const log = byPosition.get(position)
        // An agent that repeats the usage of its generations is in no sum.
        if (log === undefined || log.costInTotals === costInTotals) continue
        const sum = sumOf(log)
        sum.generations += 1
        sum.before += log.costInTotals ?? 0
        sum.after += costInTotals ?? 0
        if (log.costInTotals === null) sum.unpricedBefore += 1
      }
    },
    list: () =>
      [...sums.values()].toSorted(
        (first, second) => Math.abs(second.after - second.before) - Math.abs(first.after - first.before),
      ),
  }
}
