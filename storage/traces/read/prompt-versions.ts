/**
 * Use of prompt versions: who used which, and comparisons of two versions. Compared values are summed per user first: a
 * user gets the same version in all calls, and the calls of one user are more alike than calls of many users.
 */
import type { Clients, Parameters } from '../engine/clients.ts'
import { currentRows } from '../engine/current-rows.ts'
import type { PromptUse, UserSums, VersionScore, VersionSums, VersionUse } from '../types.ts'

const inRange = `workspace_id = {workspace:String} AND prompt_slug = {slug:String}
  AND trace_start_us >= {from:Int64} AND trace_start_us < {to:Int64} AND ${currentRows('logs')}`

const parametersOf = (workspace: string, { slug, fromUs, toUs }: PromptUse) => ({
  workspace,
  slug,
  from: fromUs,
  to: toUs,
})

/** Which API key recorded traces with which version, the latest use first. */
export async function versionUses(
  clients: Clients,
  workspaceId: string,
  use: PromptUse,
): Promise<VersionUse[]> {
  const parameters = parametersOf(workspaceId, use)
  const rows = await clients.search<{
    version: string
    key: string | null
    traces: string
    first: string
    last: string
  }>(
    `SELECT l.version AS version, t.api_key_id AS key, toString(count()) AS traces,
       toString(min(start_us)) AS first, toString(max(start_us)) AS last
     FROM (SELECT DISTINCT trace_id, prompt_version AS version FROM logs
         WHERE ${inRange} AND prompt_version IS NOT NULL) AS l
       INNER JOIN (SELECT trace_id, start_us, api_key_id FROM traces
         WHERE workspace_id = {workspace:String} AND start_us >= {from:Int64} AND start_us < {to:Int64}
           AND ${currentRows('traces')}) AS t
       ON t.trace_id = l.trace_id
     GROUP BY version, key ORDER BY max(start_us) DESC, version, key`,
    parameters,
  )
  return rows.map(({ version, key, traces, first, last }) => ({
    version,
    apiKeyId: key,
    traces: Number(traces),
    firstUs: BigInt(first),
    lastUs: BigInt(last),
  }))
}

/** The value of a call in each measure; null if it has none. */
const values = {
  // If an enclosing log reports the cost, the cost of the call itself is not known.
  cost: 'if(cost_in_totals = 0 AND (ifNull(cost, 1) > 0 OR cost_estimate > 0), NULL, cost_in_totals)',
  durationMs: 'duration_us / 1000',
  errorRate: 'toFloat64(has_error)',
  tokens: 'if(counts_in_totals, input_tokens + output_tokens, NULL)',
} as const
const names = Object.keys(values) as (keyof typeof values)[]

/** The user of a trace; a trace without one counts as its own user. */
const user = `if(empty(ifNull(user_id, '')), concat('trace ', toString(trace_id)), concat('user ', user_id))`

const calls = (versions: string): string =>
  `SELECT trace_id, log_id, prompt_version AS version, ${user} AS user,
     ${names.map((name) => `${values[name]} AS ${name}`).join(', ')}
   FROM logs WHERE ${inRange} AND prompt_version IN ${versions}`

/** SQL for the sums over rows of users. `n` is the number of values of each user and `y` their sum. */
const sumsOver = (n: string, y: string): string =>
  `(toFloat64(countIf(${n} > 0)), toFloat64(sum(${n})), sum(${y}),
    varSampStableIf(${n}, ${n} > 0), varSampStableIf(${y}, ${n} > 0), covarSampStableIf(${n}, ${y}, ${n} > 0))`

type Sums = [number, number, number, number | null, number | null, number | null]

function toUserSums([users, count, sum, ...variances]: Sums): UserSums {
  // For a single user the engine returns NaN, which becomes null in JSON.
  const [countVariance, sumVariance, covariance] = users > 1 ? variances : [null, null, null]
  return { users, count, sum, countVariance, sumVariance, covariance }
}

/** Statistics by version; unused versions are left out. */
export async function versionSums(
  clients: Clients,
  workspaceId: string,
  use: PromptUse,
  versions: readonly string[],
): Promise<VersionSums[]> {
  const parameters: Parameters = { ...parametersOf(workspaceId, use), versions }
  const callsSql = calls('{versions:Array(String)}')
  const totals = await clients.search<Record<string, string | number | null>>(
    `SELECT version, toFloat64(count()) AS calls, toFloat64(uniqExact(trace_id)) AS traces,
       toFloat64(uniqExact(user)) AS users, quantileExactInclusive(0.5)(durationMs) AS p50,
       quantileExactInclusive(0.95)(durationMs) AS p95
     FROM (${callsSql}) GROUP BY version`,
    parameters,
  )
  const sums = await clients.search<{ version: string } & Record<keyof typeof values, Sums>>(
    `SELECT version, ${names.map((name) => `${sumsOver(`n_${name}`, `y_${name}`)} AS ${name}`).join(', ')}
     FROM (SELECT version, user,
         ${names.map((name) => `toFloat64(count(${name})) AS n_${name}, ifNull(sum(${name}), 0) AS y_${name}`).join(', ')}
       FROM (${callsSql}) GROUP BY version, user)
     GROUP BY version`,
    parameters,
  )
  return totals.flatMap((row) => {
    const measures = sums.find(({ version }) => version === row.version)
    if (measures === undefined) return []
    const { cost, durationMs, errorRate, tokens } = measures
    return {
      version: String(row.version),
      calls: Number(row.calls),
      traces: Number(row.traces),
      users: Number(row.users),
      p50DurationMs: row.p50 === null ? null : Number(row.p50),
      p95DurationMs: row.p95 === null ? null : Number(row.p95),
      measures: {
        cost: toUserSums(cost),
        durationMs: toUserSums(durationMs),
        errorRate: toUserSums(errorRate),
        tokens: toUserSums(tokens),
      },
    }
  })
}

/** Scores by version and name, using the last score of each judged log or trace; texts have no mean and are left out. */
export async function versionScores(
  clients: Clients,
  workspaceId: string,
  use: PromptUse,
  versions: readonly string[],
): Promise<VersionScore[]> {
  const parameters: Parameters = { ...parametersOf(workspaceId, use), versions }
  const callsSql = calls('{versions:Array(String)}')
  const rows = await clients.search<{ version: string; name: string; is_boolean: number; sums: Sums }>(
    `WITH judged AS (
       SELECT trace_id, log_id, name, argMax(number, (created_at, revision, score_id)) AS number,
         argMax(value, (created_at, revision, score_id)) IN ('true', 'false') AS is_boolean
       FROM scores
       WHERE workspace_id = {workspace:String} AND trace_id IN (SELECT trace_id FROM (${callsSql}))
       GROUP BY trace_id, log_id, name HAVING number IS NOT NULL)
     SELECT version, name, toUInt8(min(boolean)) AS is_boolean, ${sumsOver('n', 'y')} AS sums
     FROM (SELECT version, user, name, toFloat64(count()) AS n, sum(number) AS y, min(is_boolean) AS boolean
       FROM (
         SELECT c.version AS version, c.user AS user, j.name AS name, j.number AS number, j.is_boolean AS is_boolean
         FROM (SELECT * FROM judged WHERE log_id IS NOT NULL) AS j
           INNER JOIN (${callsSql}) AS c ON c.trace_id = j.trace_id AND c.log_id = j.log_id
         UNION ALL
         SELECT c.only_version, c.of_user, j.name, j.number, j.is_boolean
         FROM (SELECT * FROM judged WHERE log_id IS NULL) AS j
           INNER JOIN (SELECT trace_id, any(version) AS only_version, any(user) AS of_user FROM (${callsSql})
             GROUP BY trace_id HAVING uniqExact(version) = 1) AS c ON c.trace_id = j.trace_id)
       GROUP BY version, user, name)
     GROUP BY version, name ORDER BY name, version`,
    parameters,
  )
  return rows.map(({ version, name, is_boolean, sums }) => ({
    version,
    name,
    isBoolean: is_boolean === 1,
    sums: toUserSums(sums),
  }))
}
