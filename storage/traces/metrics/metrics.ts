/**
 * Measures over traces and logs. Time is the start of the trace, for its logs and scores as well, so that the measures
 * of a row belong together.
 *
 * - Without a dimension or filter that only logs have (a model, a prompt, a type ...) measures are those of traces:
 *   durations from start to end, totals as stored with the trace, `errors` failed logs, `errorRate` the share of traces
 *   with a failed log.
 * - With one, they are those of the logs: durations of logs, sums over logs where each usage counts once, `errors`
 *   failed logs, `errorRate` the share of logs that failed, `traces` and `users` those with such a log.
 * - `generations` always counts logs. Scores count with their trace; with a dimension or filter of logs, only scores of
 *   such a log count.
 * - By `scoreName` or `evaluatorVersion`, only `scores`, `avgScore`, `scoreCost` and `traces` (those with such a score)
 *   have values; the rest is null.
 */
import { bucketWidths, type Dimension, type Measure } from '@plumbline/contract'
import type { Clients, Parameters } from '../engine/clients.ts'
import { currentRows } from '../engine/current-rows.ts'
import { storedConditions } from '../filters/filters.ts'
import { findField, whereConditions } from '../filters/where.ts'
import { withoutJudges } from '../filters/without-judges.ts'
import type { StoreCondition } from '../types.ts'
import type { MetricsQuery, MetricsRow } from './metric-types.ts'
import {
  logDimensionColumns,
  logDimensions,
  logMeasureColumns,
  logs,
  logsHourly,
  ownLogDimensions,
  type Source,
  scoreDimensions,
  scores,
  traceDimensionColumns,
  traces,
  tracesHourly,
} from './metrics-sources.ts'
import { fromRollUp, hasRolledUp, hasWholeHour, splitHours } from './roll-ups.ts'
import { bucketOf, bucketTime, windowsOf } from './time-buckets.ts'
import { readZoneClock, utcClock, type ZoneClock } from './zone-clock.ts'

const counts: ReadonlySet<string> = new Set([
  'traces',
  'logs',
  'generations',
  'errors',
  'users',
  'scores',
  'unpriced',
  'estimated',
])

/** One row for each time and combination of dimensions with data. */
export async function measure(
  clients: Clients,
  workspaceId: string,
  query: MetricsQuery,
): Promise<MetricsRow[]> {
  const isByLog =
    query.dimensions.some((name) => logDimensions.has(name)) ||
    (query.filters.where ?? []).some(({ isOfLog }) => isOfLog === true)
  const parts = new Map<Source, Measure[]>()
  for (const name of query.measures) {
    const source = sourceOf(name, query, isByLog)
    if (source !== undefined) parts.set(source, [...(parts.get(source) ?? []), name])
  }
  const clock =
    query.granularity === undefined
      ? utcClock
      : await readZoneClock(clients, workspaceId, query.timeZone, query)
  const timedQuery: TimedQuery = {
    ...query,
    clock,
    splitHours: query.granularity && splitHours(clock, bucketWidths[query.granularity]),
  }
  const results = await Promise.all(
    [...parts].map(([source, measures]) =>
      querySource(clients, workspaceId, timedQuery, hourly(source, measures, timedQuery), measures, isByLog),
    ),
  )
  return mergeResults(timedQuery, results.flat())
}

/** A query with the clock that its buckets follow. */
type TimedQuery = MetricsQuery & {
  readonly clock: ZoneClock
  /** UTC hours that are split between two buckets; undefined if they are not listed individually. */
  readonly splitHours: readonly bigint[] | undefined
}

const isByScore = ({ dimensions }: MetricsQuery): boolean =>
  dimensions.some((name) => scoreDimensions.has(name))

/** The table to read a measure from. */
function sourceOf(name: Measure, query: MetricsQuery, isByLog: boolean): Source | undefined {
  if (isByScore(query)) return name in scores.measures ? scores : undefined
  if (name === 'scores' || name === 'avgScore' || name === 'scoreCost') return scores
  return isByLog || !(name in traces.measures) ? logs : traces
}

/** Replaces a table with its roll-up if that gives the same result. */
function hourly(source: Source, measures: readonly Measure[], query: TimedQuery): Source {
  const rollUp = source === traces ? tracesHourly : source === logs ? logsHourly : undefined
  if (rollUp === undefined) return source
  const answers =
    query.granularity !== 'minute' &&
    (query.granularity === undefined || query.splitHours !== undefined) &&
    query.windows === undefined &&
    hasWholeHour(query) &&
    measures.every((name) => name in rollUp.measures) &&
    (query.samplesOf === undefined || query.samplesOf in rollUp.samples) &&
    query.dimensions.every((name) => name in rollUp.dimensions) &&
    query.filters.receivedFromMs === undefined &&
    (query.filters.where ?? []).every((condition) => hasRolledUp(rollUp, condition))
  return answers ? rollUp : source
}

type Answer = Record<string, string | number | null>

async function querySource(
  clients: Clients,
  workspaceId: string,
  query: TimedQuery,
  source: Source,
  measures: readonly Measure[],
  isByLog: boolean,
): Promise<Answer[]> {
  const { from, where, parameters } = relation(workspaceId, query, source, isByLog)
  const keys = [
    ...timeOf(query, source),
    ...query.dimensions.map((name, index) => dimensionOf(source, name, index)),
  ]
  const namedColumns = [
    ...keys.map((sql, index) => `${sql} AS k${index}`),
    ...measures.map((name) => `toFloat64OrNull(toString(${source.measures[name]})) AS m_${name}`),
    ...measures
      .filter((name) => name === query.samplesOf)
      .map((name) => `toFloat64(${source.samples[name]}) AS samples`),
  ]
  const metadataKeys = query.dimensions.flatMap((name, index) =>
    name.startsWith('metadata.') ? [[`dimension${index}`, name.slice('metadata.'.length)] as const] : [],
  )
  return clients.search<Answer>(
    `${query.clock.prelude} SELECT ${namedColumns.join(', ')} FROM ${from} WHERE ${where.join(' AND ')}
     ${keys.length === 0 ? '' : `GROUP BY ${keys.map((_, index) => `k${index}`).join(', ')} ${source.groupCondition ?? ''}`}`,
    { ...parameters, ...Object.fromEntries(metadataKeys) },
  )
}

function timeOf({ granularity, clock, windows, fromUs, toUs }: TimedQuery, { start }: Source): string[] {
  if (windows !== undefined && fromUs !== undefined && toUs !== undefined)
    return [windowsOf(start, { ...windows, fromUs, toUs })]
  return granularity === undefined ? [] : [`toString(${bucketOf(start, bucketWidths[granularity], clock)})`]
}

const isOverTime = ({ granularity, windows }: MetricsQuery): boolean =>
  granularity !== undefined || windows !== undefined

function dimensionOf(source: Source, name: Dimension, index: number): string {
  if (!name.startsWith('metadata.')) return source.dimensions[name] ?? 'NULL'
  const key = `{dimension${index}:String}`
  return `if(mapContains(metadata_texts, ${key}), metadata_texts[${key}], NULL)`
}

/** The rows to measure: a table, joined to the traces or logs that its columns lack. */
function relation(
  workspaceId: string,
  query: TimedQuery,
  source: Source,
  isByLog: boolean,
): { from: string; where: string[]; parameters: Parameters } {
  const { fromUs, toUs, filters } = query
  const where = filters.where ?? []
  const isOfLogs = isByLog && !(source === scores && query.scores !== undefined)
  const ofLogs = isOfLogs ? where.filter(({ isOfLog }) => isOfLog === true) : []
  const ofTraces = where.filter((condition) => !ofLogs.includes(condition))
  const traceSide = storedConditions(workspaceId, {
    ...filters,
    where: ofTraces,
    ...(fromUs === undefined ? {} : { fromUs }),
    ...(toUs === undefined ? {} : { toUs }),
  })
  traceSide.sql.push(...withoutJudges(where))
  const logSide = whereConditions(ofLogs, 'logs')
  const parameters = { ...traceSide.parameters, ...logSide.parameters }
  const onStart = traceSide.sql.map((condition) => condition.replace(/^start_us/, source.start))
  const currentTraces = [...traceSide.sql, currentRows('traces')].join(' AND ')
  if (source === scores) {
    const only = scoreConditions(query)
    const logJoin = isOfLogs
      ? `INNER JOIN (SELECT trace_id, log_id, ${logDimensionColumns.join(', ')} FROM logs
           WHERE workspace_id = {workspace:String} AND ${currentRows('logs')}) AS l ON l.trace_id = s.trace_id AND l.log_id = s.log_id`
      : ''
    return {
      from: `(SELECT trace_id, log_id, name AS score_name, number, cost AS judging_cost, evaluator_version FROM scores
          WHERE ${['workspace_id = {workspace:String}', ...only.sql].join(' AND ')}) AS s
        INNER JOIN (SELECT trace_id, start_us, ${traceDimensionColumns.join(', ')}, metadata_texts
          FROM traces WHERE ${currentTraces}) AS t ON t.trace_id = s.trace_id ${logJoin}`,
      where: ['1', ...logSide.sql],
      parameters: { ...parameters, ...only.parameters },
    }
  }
  const own = [...onStart, ...logSide.sql]
  if (source === traces) return { from: 'traces', where: [...own, currentRows('traces')], parameters }
  if (source !== logs) return fromRollUp(query, source, [...traceSide.sql, ...logSide.sql], parameters)
  // Some trace fields are copied to the logs; only the others need the traces.
  const needsTraces =
    filters.receivedFromMs !== undefined ||
    ofTraces.some((condition) => !isOnLogs(condition)) ||
    query.dimensions.some((name) => !(name in ownLogDimensions))
  if (!needsTraces) return { from: 'logs', where: [...own, currentRows('logs')], parameters }
  return {
    from: `(SELECT trace_id, trace_start_us, ${logDimensionColumns.join(', ')}, has_error, input_tokens, output_tokens,
        cost_in_totals, counts_in_totals, tokens_estimated, ${logMeasureColumns.join(', ')} FROM logs
        WHERE workspace_id = {workspace:String} AND ${currentRows('logs')}) AS l
      INNER JOIN (SELECT trace_id, ${traceDimensionColumns.join(', ')}, metadata_texts
        FROM traces WHERE ${currentTraces}) AS t ON t.trace_id = l.trace_id`,
    where: ['1', ...logSide.sql],
    parameters,
  }
}

/**
 * Whether a condition is on a field that is copied to the logs, in a column of the same name. Logs have no names of
 * users and customers.
 */
function isOnLogs({ field: name, named }: StoreCondition): boolean {
  const field = findField(name)
  return named === undefined && field?.type === 'text' && field.logColumn !== undefined
}

/** Restricts scores to those created since the start of the range, with a day's margin for clock differences. */
function scoreConditions({ scores: scoreFilter, fromUs }: MetricsQuery): {
  sql: string[]
  parameters: Parameters
} {
  if (scoreFilter === undefined) return { sql: [], parameters: {} }
  const { name, evaluatorSlug } = scoreFilter
  return {
    sql: [
      ...(name === undefined ? [] : ['name = {score:String}']),
      ...(evaluatorSlug === undefined ? [] : ['evaluator_slug = {scoredBy:String}']),
      ...(fromUs === undefined ? [] : ['created_at >= fromUnixTimestamp64Milli({scoredFrom:Int64})']),
    ],
    parameters: {
      ...(name === undefined ? {} : { score: name }),
      ...(evaluatorSlug === undefined ? {} : { scoredBy: evaluatorSlug }),
      ...(fromUs === undefined ? {} : { scoredFrom: Math.max(0, Number(fromUs / 1000n) - dayMs) }),
    },
  }
}

const dayMs = 86_400_000

/** Joins the results of the tables, in the order of their keys. */
function mergeResults(query: TimedQuery, answers: readonly Answer[]): MetricsRow[] {
  const time = isOverTime(query) ? 1 : 0
  const keys = Array.from({ length: time + query.dimensions.length }, (_, index) => `k${index}`)
  const rows = new Map<string, Answer>()
  for (const answer of answers) {
    const key = JSON.stringify(keys.map((name) => answer[name] ?? null))
    rows.set(key, { ...rows.get(key), ...answer })
  }
  if (keys.length === 0 && rows.size === 0) rows.set('[]', {})
  return [...rows.values()]
    .sort((a, b) => compareKeys(keys, time, a, b))
    .map((answer) => {
      const row: MetricsRow = {}
      if (time === 1) row.time = bucketTime(instantOfKey(query, String(answer.k0)))
      query.dimensions.forEach((name, index) => {
        row[name] = answer[`k${time + index}`] ?? null
      })
      for (const name of query.measures)
        row[name] = answer[`m_${name}`] ?? (countsNothing(query, name) ? 0 : null)
      if (query.samplesOf !== undefined) row.samples = answer.samples ?? 0
      return row
    })
}

function instantOfKey({ granularity, clock }: TimedQuery, key: string): bigint {
  return granularity === undefined ? BigInt(key) : clock.instant(BigInt(key), bucketWidths[granularity])
}

/** Whether a missing measure means zero: it is a count and is defined for these dimensions. */
function countsNothing(query: MetricsQuery, name: Measure): boolean {
  return counts.has(name) && (!isByScore(query) || name in scores.measures)
}

function compareKeys(keys: readonly string[], time: number, a: Answer, b: Answer): number {
  for (const [index, key] of keys.entries()) {
    const [left, right] = [a[key] ?? null, b[key] ?? null]
    if (left === right) continue
    if (left === null) return 1
    if (right === null) return -1
    if (index < time) return BigInt(left) < BigInt(right) ? -1 : 1
    return left < right ? -1 : 1
  }
  return 0
}
