/** Which traces of a list were slow for their feature: a colour only where it means something. Pure. */
import type { TraceSummary } from '@plumbline/sdk'
import { formatDuration } from '../../../ui/text/format.ts'

/** Says why a trace counts as slow; undefined where it does not. */
export type SlowOf = (trace: TraceSummary) => string | undefined

type Row = Readonly<Record<string, string | number | null>>

/** Of fewer traces a percentile says nothing. */
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
