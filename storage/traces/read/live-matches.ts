/** Which traces or logs a live rule applies to. */
import type { Clients, Parameters } from '../engine/clients.ts'
import { currentRows } from '../engine/current-rows.ts'
import type { LiveMatch, LiveSelection, LiveSums } from '../types.ts'
import { byTraceKeys, traceKey } from './find.ts'
import { conditionsWithWords } from './list.ts'

/**
 * Returns which of the given traces match, or their logs of a type; by the index of arrivals. `digest` is computed from
 * the texts of a log, which may change while its trace grows.
 */
export async function liveMatches(
  clients: Clients,
  workspaceId: string,
  traceIds: readonly string[],
  { filters, logType }: LiveSelection,
): Promise<LiveMatch[]> {
  const keys = traceIds.flatMap((id) => traceKey(workspaceId, id) ?? [])
  if (keys.length === 0) return []
  const { sql, parameters } = conditionsWithWords(workspaceId, filters)
  const allParameters: Parameters = {
    ...parameters,
    arrivals: keys.map(({ arrival }) => arrival),
    traces: keys.map(({ trace }) => trace),
    ...(logType === undefined ? {} : { logType }),
  }
  const traces = `SELECT trace_id FROM traces WHERE ${[...sql, byTraceKeys].join(' AND ')}`
  if (logType === undefined) {
    const rows = await clients.search<{ id: string }>(
      `SELECT toString(trace_id) AS id FROM (${traces})`,
      allParameters,
    )
    return rows.map(({ id }) => ({ traceId: id, logId: undefined, digest: '' }))
  }
  const rows = await clients.search<{ id: string; log: string; digest: string }>(
    `SELECT toString(trace_id) AS id, log_id AS log, lower(hex(sipHash64(input, output, ideal_output))) AS digest
     FROM logs
     WHERE ${byTraceKeys} AND type = {logType:String} AND ${currentRows('logs')} AND trace_id IN (${traces})`,
    allParameters,
  )
  return rows.map(({ id, log, digest }) => ({ traceId: id, logId: log, digest }))
}

/** How many traces match, and how many of them, or of their logs of a type, a rate would choose. */
export async function liveSums(
  clients: Clients,
  workspaceId: string,
  { filters, logType }: LiveSelection,
  rate: number,
): Promise<LiveSums> {
  const { sql, parameters } = conditionsWithWords(workspaceId, filters)
  const matching = sql.join(' AND ')
  const isSampled = isSampledSql('trace_id')
  const parameterValues = { ...parameters, threshold: thresholdOf(rate) }
  const [sums] = await clients.search<{ matching: string; sampled: string }>(
    `SELECT toString(count()) AS matching, toString(countIf(${isSampled})) AS sampled FROM traces WHERE ${matching}`,
    parameterValues,
  )
  if (logType === undefined) return { matching: Number(sums?.matching), judged: Number(sums?.sampled) }
  const [logs] = await clients.search<{ judged: string }>(
    `SELECT toString(count()) AS judged FROM logs
     WHERE workspace_id = {workspace:String} AND type = {logType:String} AND ${currentRows('logs')}
       AND trace_id IN (SELECT trace_id FROM traces WHERE ${matching} AND ${isSampled})`,
    { ...parameterValues, logType },
  )
  return { matching: Number(sums?.matching), judged: Number(logs?.judged) }
}

/** The same choice as `isSampled` in the server: whether the first 48 bits of the id's SHA-256 are below the rate. */
export const isSampledSql = (id: string): string =>
  `hex(substring(SHA256(toString(${id})), 1, 6)) < {threshold:String}`

/**
 * The rate as hexadecimal text. All values have twelve digits, so they compare like numbers; the text for 1 sorts above
 * all of them.
 */
export function thresholdOf(rate: number): string {
  if (rate >= 1) return 'G'
  return Math.ceil(rate * 2 ** 48)
    .toString(16)
    .toUpperCase()
    .padStart(12, '0')
}
