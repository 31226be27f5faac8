/** Summaries of the traces of each experiment, from metric rows. Pure. */

type MetricsRow = Readonly<Record<string, string | number | null>>

export interface ExperimentSummary {
  readonly traces: number
  /** Means over the traces that have a cost, and over all traces; absent without a value. */
  readonly costUsd: number | undefined
  readonly durationMs: number | undefined
  readonly errorRate: number | undefined
  /** Means by score name, sorted by name. */
  readonly scores: readonly { readonly name: string; readonly mean: number }[]
}

const numberOf = (value: string | number | null | undefined): number | undefined =>
  value === null || value === undefined || value === '' ? undefined : Number(value)

/**
 * By experiment id. `costs` counts the traces with a cost: a failed call has none, which does not mean that it was
 * free.
 */
export function summariesOf(
  totals: readonly MetricsRow[],
  costs: readonly MetricsRow[],
  scores: readonly MetricsRow[],
): ReadonlyMap<string, ExperimentSummary> {
  const byId = Map.groupBy(scores, ({ experiment }) => String(experiment))
  const costsById = new Map(costs.map((row) => [String(row.experiment), row]))
  return new Map(
    totals.map((row) => {
      const id = String(row.experiment)
      const traces = numberOf(row.traces) ?? 0
      const { traces: priced, cost } = costsById.get(id) ?? {}
      return [
        id,
        {
          traces,
          costUsd: numberOf(cost) === undefined || !priced ? undefined : Number(cost) / Number(priced),
          durationMs: numberOf(row.avgDurationMs),
          errorRate: numberOf(row.errorRate),
          scores: (byId.get(id) ?? [])
            .flatMap(({ scoreName, avgScore }) => {
              const mean = numberOf(avgScore)
              return mean === undefined ? [] : [{ name: String(scoreName), mean }]
            })
            .sort((a, b) => (a.name < b.name ? -1 : 1)),
        },
      ]
    }),
  )
}
