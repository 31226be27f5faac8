/**
 * Stores changed costs of recorded generations: first corrects the hourly sums, under a token, then patches the rows.
 * Running it again with the same token after a crash gives the same result.
 */
import type { Clients } from '../engine/clients.ts'
import { addSums, type Columns, count, logsHourly, number, tracesHourly } from '../metrics/hourly-sums.ts'
import type { TraceKey } from '../types.ts'
import { matchTraces, workspacesOf } from './trace-keys.ts'
import type { CostChanges } from './write-types.ts'

const settings =
  "SETTINGS enable_lightweight_update = 1, lightweight_deletes_sync = 2, update_parallel_mode = 'sync'"

/** A text as an SQL literal. */
const quoteText = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
const numberText = (value: number | null): string => (value === null ? '' : String(value))

/**
 * An expression that maps each key to its value. We generate the keys ourselves, and rows without a key are not
 * selected.
 */
function valueByKey(key: string, values: ReadonlyMap<string, string>): string {
  const keys = [...values.keys()].map(quoteText).join(',')
  const texts = [...values.values()].map(quoteText).join(',')
  return `transform(${key}, [${keys}], [${texts}], '')`
}

const logKey = "concat(toString(trace_id), ' ', toString(position))"

/** The rows that the costs were computed from, and not later replacements of them. */
const ofRevision = (keys: CostChanges['keys']): string =>
  `concat(toString(trace_id), ' ', toString(revision)) IN (${keys.map(({ traceId, revision }) => quoteText(`${traceId} ${revision}`)).join(',')})`

export async function changeCosts(clients: Clients, changes: CostChanges): Promise<void> {
  const { keys, traces, logs } = changes
  const ofLogs = keys.filter(({ traceId }) => logs.some((log) => log.traceId === traceId))
  const ofTraces = keys.filter(({ traceId }) => traces.some((trace) => trace.traceId === traceId))
  if (ofLogs.length > 0) await changeLogs(clients, ofLogs, changes)
  if (ofTraces.length > 0) await changeTraces(clients, ofTraces, changes)
}

async function changeLogs(
  clients: Clients,
  keys: CostChanges['keys'],
  { logs, token }: CostChanges,
): Promise<void> {
  const valueFor = (value: (log: CostChanges['logs'][number]) => string) =>
    valueByKey(logKey, new Map(logs.map((log) => [`${log.traceId} ${log.position}`, value(log)])))
  const changed = logs.map((log) => quoteText(`${log.traceId} ${log.position}`)).join(',')
  const rows = `${matchTraces('logs', keys)} AND ${ofRevision(keys)} AND ${logKey} IN (${changed})`
  const inTotals = `toFloat64OrNull(${valueFor((log) => numberText(log.costInTotals))})`
  await addDifference(clients, {
    table: 'logs',
    columns: logsHourly,
    cost: 'cost_in_totals',
    newCost: inTotals,
    rows,
    keys,
    token,
  })
  await clients.command(
    `UPDATE logs SET cost = toFloat64OrNull(${valueFor((log) => numberText(log.cost))}),
       cost_estimate = toFloat64OrNull(${valueFor((log) => numberText(log.costEstimate))}),
       cost_detail = ${valueFor((log) => log.costDetail ?? '')}, cost_in_totals = ${inTotals}
     WHERE ${rows} ${settings}`,
    workspacesOf(keys),
  )
}

async function changeTraces(
  clients: Clients,
  keys: CostChanges['keys'],
  { traces, token }: CostChanges,
): Promise<void> {
  const costs = new Map(traces.map(({ traceId, cost }) => [traceId, numberText(cost)]))
  const newCost = `toFloat64OrNull(${valueByKey('toString(trace_id)', costs)})`
  const rows = `${matchTraces('traces', keys)} AND ${ofRevision(keys)}`
  await addDifference(clients, {
    table: 'traces',
    columns: tracesHourly,
    cost: 'cost',
    newCost,
    rows,
    keys,
    token,
  })
  await clients.command(`UPDATE traces SET cost = ${newCost} WHERE ${rows} ${settings}`, workspacesOf(keys))
}

interface Difference {
  readonly table: 'traces' | 'logs'
  readonly columns: Columns
  /** The summed column. `newCost` is the expression for its new value. */
  readonly cost: string
  readonly newCost: string
  readonly rows: string
  readonly keys: readonly TraceKey[]
  readonly token: string
}

/** Adds the cost differences to the hourly sums; no other sums change. */
function addDifference(
  clients: Clients,
  { table, columns, cost, newCost, rows, keys, token }: Difference,
): Promise<void> {
  return addSums(clients, {
    table,
    columns: {
      keys: columns.keys,
      sums: {
        cost: number(`ifNull(t.new_cost, 0) - ifNull(t.${cost}, 0)`),
        priced: count(`toInt64(t.new_cost IS NOT NULL) - toInt64(t.${cost} IS NOT NULL)`),
      },
    },
    rows: `FROM (SELECT *, ${newCost} AS new_cost FROM ${table} WHERE ${rows}) AS t`,
    sign: '1',
    workspaces: workspacesOf(keys),
    token,
  })
}
