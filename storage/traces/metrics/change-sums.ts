/**
 * The components of a change in a measure: for each value of each dimension the count of traces, and the sum of the
 * measure and of its squares, in a window and in its baseline. One pass over the traces of both.
 */
import type { ChangeDimension, ChangeMeasure } from '@plumbline/contract'
import type { Clients } from '../engine/clients.ts'
import { traceConditions } from '../filters/filters.ts'
import type { ChangeSums, ChangeWindows, MetricsFilters } from './metric-types.ts'

/** The measure of one trace; NULL for a trace without a value. */
const ofTrace: Readonly<Record<ChangeMeasure, string>> = {
  traces: '1',
  cost: 'ifNull(cost, 0)',
  totalTokens: 'total_tokens',
  errorRate: 'errors > 0',
  avgDurationMs: 'duration_us / 1000',
}

const single = (column: string, name = 'NULL'): string =>
  `[(CAST(${column}, 'Nullable(String)'), CAST(${name}, 'Nullable(String)'))]`
/** A trace with several values counts for each, and one with none counts as having no value. */
const each = (values: string): string =>
  `if(empty(${values}), ${single('NULL')}, arrayMap(value -> (CAST(value, 'Nullable(String)'), CAST(NULL, 'Nullable(String)')), arrayDistinct(${values})))`

/** The values of each dimension with their display names. */
const valuesOf: Readonly<Record<ChangeDimension, string>> = {
  feature: single('feature_slug'),
  name: single('name'),
  environment: single('environment'),
  release: single('release'),
  organization: single('organization_id', 'organization_name'),
  user: single('user_id', 'user_name'),
  tag: each('tags'),
  model: each('models'),
  promptVersion: each(`arrayMap(prompt -> concat(prompt.1, ' ', prompt.2), prompts)`),
}

/** If a dimension has more values, those with the most traces are returned. */
const valuesMax = 1000

type Row = {
  dimension: string
  value: string | null
  label: string | null
  window_traces: number
  window_count: number
  window_sum: number
  window_squares: number
  baseline_traces: number
  baseline_count: number
  baseline_sum: number
  baseline_squares: number
}

/** The sums of all traces have no dimension. */
export async function changeSums(
  clients: Clients,
  workspaceId: string,
  measure: ChangeMeasure,
  { window, baseline }: ChangeWindows,
  filters: MetricsFilters,
): Promise<ChangeSums[]> {
  const { sql, parameters } = traceConditions(workspaceId, {
    ...filters,
    fromUs: baseline.fromUs,
    toUs: window.toUs,
  })
  const isIn = (name: string): string => `start_us >= {${name}From:Int64} AND start_us < {${name}To:Int64}`
  const conditions = [...sql, `((${isIn('window')}) OR (${isIn('baseline')}))`]
  const cells = Object.entries(valuesOf).map(
    ([dimension, values]) => `arrayMap(pair -> ('${dimension}', pair.1, pair.2), ${values})`,
  )
  const sums = (name: string, condition: string): string =>
    [
      `toFloat64(countIf(${condition})) AS ${name}_traces`,
      `toFloat64(countIf(${condition} AND x IS NOT NULL)) AS ${name}_count`,
      `ifNull(sumIf(x, ${condition}), 0) AS ${name}_sum`,
      `ifNull(sumIf(x * x, ${condition}), 0) AS ${name}_squares`,
    ].join(', ')
  const rows = await clients.search<Row>(
    `SELECT cell.1 AS dimension, cell.2 AS value, any(cell.3) AS label,
       ${sums('window', 'isWindow')}, ${sums('baseline', 'NOT isWindow')}
     FROM (
       SELECT start_us >= {windowFrom:Int64} AS isWindow, toFloat64(${ofTrace[measure]}) AS x,
         arrayJoin(arrayConcat([('', CAST(NULL, 'Nullable(String)'), CAST(NULL, 'Nullable(String)'))], ${cells.join(', ')})) AS cell
       FROM traces WHERE ${conditions.join(' AND ')}
     )
     GROUP BY dimension, value
     ORDER BY dimension, window_traces + baseline_traces DESC, value
     LIMIT ${valuesMax} BY dimension`,
    {
      ...parameters,
      windowFrom: window.fromUs,
      windowTo: window.toUs,
      baselineFrom: baseline.fromUs,
      baselineTo: baseline.toUs,
    },
  )
  return rows.map((row) => ({
    // Safe: the query names the dimensions.
    dimension: row.dimension === '' ? undefined : (row.dimension as ChangeDimension),
    value: row.value,
    label: row.label,
    window: {
      traces: row.window_traces,
      count: row.window_count,
      sum: row.window_sum,
      squares: row.window_squares,
    },
    baseline: {
      traces: row.baseline_traces,
      count: row.baseline_count,
      sum: row.baseline_sum,
      squares: row.baseline_squares,
    },
  }))
}
