/** The traces of a list that were slow for their feature, to colour only meaningful durations. Pure. */
import type { TraceSummary } from '@plumbline/sdk'
import { formatDuration } from '../../../ui/text/format.ts'

/** Why a trace counts as slow; undefined if it does not. */
export type SlowOf = (trace: TraceSummary) => string | undefined

type Row = Readonly<Record<string, string | number | null>>

/** With fewer traces, a percentile is not meaningful. */
const tracesMin = 20

/** Rows of `metrics.query` by feature, with `traces`, `p95DurationMs` and `p99DurationMs`. */
export function slowTraces(rows: readonly Row[]): SlowOf {
  const rowsByFeature = new Map(rows.map((row) => [row.feature ?? null, row]))
  return ({ featureSlug, totals: { durationMs } }) => {
    const row = rowsByFeature.get(featureSlug)
    if (row === undefined || durationMs === null || Number(row.traces) < tracesMin) return undefined
    const peers = featureSlug === null ? 'traces without a feature' : featureSlug
    for (const percentile of ['p99', 'p95'] as const) {
      const limit = row[`${percentile}DurationMs`]
      if (typeof limit === 'number' && durationMs > limit)
        return `Slower than ${percentile} of ${peers} in this range, ${formatDuration(limit)}`
    }
    return undefined
  }
}
