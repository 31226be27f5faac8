import { invalid, type Measure, type operations } from '@plumbline/contract'
import type { Verb } from '../../requests/verb.ts'
import { readInstant } from '../../traces/filters.ts'
import { readTimeZone } from '../../traces/time-zone.ts'
import { readDimensions, readFilterText, readMeasures } from './read-query.ts'

export const query: Verb<typeof operations.metrics.query> = async (input, { workspace }) => {
  const { fromUs, toUs, ...filters } = readFilterText(input.filters)
  const measures = readMeasures(input.measures)
  if (input.limit !== undefined && input.granularity !== undefined)
    throw invalid('limit', 'cannot be combined with `granularity`')
  const rows = await workspace.traces.measure({
    measures,
    dimensions: readDimensions(input.dimensions),
    granularity: input.granularity,
    timeZone: readTimeZone(input.timeZone),
    filters,
    fromUs: readInstant(input.from, 'from') ?? fromUs,
    toUs: readInstant(input.to, 'to') ?? toUs,
  })
  return { rows: input.limit === undefined ? rows : largest(rows, measures[0], input.limit) }
}

type Row = Readonly<Record<string, string | number | null>>

/** The groups with the highest values of a measure; groups without a value come last. */
function largest<GroupRow extends Row>(
  rows: readonly GroupRow[],
  measure: Measure | undefined,
  limit: number,
): GroupRow[] {
  const amountOf = (row: Row): number => Number(row[measure ?? ''] ?? Number.NEGATIVE_INFINITY)
  return rows.toSorted((a, b) => amountOf(b) - amountOf(a)).slice(0, limit)
}
