/** Scores apart from their traces: listed by when they were given, changed and taken back by id. */
import type { Clients, Parameters } from './clients.ts'
import { arrivalMs } from './encode-rows.ts'
import { readRow, scoreColumns, selected } from './read-rows.ts'
import type { ScoreRow } from './rows.ts'

export type ScoreFilters = {
  traceId?: string | undefined
  /** Those of any of these. */
  traceIds?: readonly string[] | undefined
  name?: string | undefined
  source?: string | undefined
  /** Inclusive, on when it was given, in milliseconds. */
  fromMs?: bigint | undefined
  /** Exclusive. */
  toMs?: bigint | undefined
}

/** Where a page of scores ended. */
export type ScorePosition = { createdAtMs: number; scoreId: string }

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** A page of scores, those given last first; reads the months asked for. */
export async function listScores(
  clients: Clients,
  workspaceId: string,
  { traceId, traceIds, name, source, fromMs, toMs }: ScoreFilters,
  { limit, before }: { limit: number; before?: ScorePosition | undefined },
): Promise<{ scores: ScoreRow[]; next?: ScorePosition }> {
  if (traceId !== undefined && !uuid.test(traceId)) return { scores: [] }
  const conditions: [sql: string, name: string, value: Parameters[string] | undefined][] = [
    ['workspace_id = {workspace:String}', 'workspace', workspaceId],
    ['trace_id = {trace:UUID}', 'trace', traceId],
    // What is no id exists nowhere.
    ['trace_id IN {traces:Array(UUID)}', 'traces', traceIds?.filter((id) => uuid.test(id))],
    ['name = {name:String}', 'name', name],
    ['source = {source:String}', 'source', source],
    ['created_at >= fromUnixTimestamp64Milli({from:Int64})', 'from', fromMs],
    ['created_at < fromUnixTimestamp64Milli({to:Int64})', 'to', toMs],
    ['created_at <= fromUnixTimestamp64Milli({beforeMs:Int64})', 'beforeMs', before?.createdAtMs],
    [
      '(toUnixTimestamp64Milli(created_at), score_id) < ({beforeMs:Int64}, {beforeId:UUID})',
      'beforeId',
      before?.scoreId,
    ],
  ]
  const used = conditions.filter(([, , value]) => value !== undefined)
  // Safe: those without a value were left out.
  const parameters = Object.fromEntries(used.map(([, of, value]) => [of, value])) as Parameters
  const found = await clients.search<Record<string, unknown>>(
    `SELECT ${selected(scoreColumns)} FROM scores WHERE ${used.map(([sql]) => sql).join(' AND ')}
     ORDER BY created_at DESC, score_id DESC LIMIT {limit:UInt32}`,
    { ...parameters, limit: limit + 1 },
  )
  const scores = found.slice(0, limit).map((row) => readRow(scoreColumns, row))
  const last = scores.at(-1)
  return found.length > limit && last !== undefined
    ? { scores, next: { createdAtMs: last.createdAtMs, scoreId: last.scoreId } }
    : { scores }
}

/** One score, in the month that its id tells. */
export async function findScore(
  clients: Clients,
  workspaceId: string,
  scoreId: string,
): Promise<ScoreRow | undefined> {
  if (!uuid.test(scoreId)) return undefined
  const [row] = await clients.read<Record<string, unknown>>(
    `SELECT ${selected(scoreColumns)} FROM scores WHERE ${byId} LIMIT 1`,
    keyOf(workspaceId, scoreId),
  )
  return row && readRow(scoreColumns, row)
}

/** Writes another judgement in place of one; rewrites the part it is in, so it is for people and not for machines. */
export async function changeScore(clients: Clients, score: ScoreRow): Promise<void> {
  const { workspaceId, scoreId, value, comment } = score
  const number = typeof value === 'string' ? undefined : Number(value)
  await clients.command(
    `ALTER TABLE scores UPDATE value = {value:String}, number = ${number === undefined ? 'NULL' : '{number:Float64}'},
       comment = ${comment === null ? 'NULL' : '{comment:String}'}
     WHERE ${byId} SETTINGS mutations_sync = 1`,
    {
      ...keyOf(workspaceId, scoreId),
      value: JSON.stringify(value),
      ...(number === undefined ? {} : { number }),
      ...(comment === null ? {} : { comment }),
    },
  )
}

/** Takes a score back. */
export async function deleteScore(clients: Clients, workspaceId: string, scoreId: string): Promise<void> {
  await clients.command(
    `ALTER TABLE scores DELETE WHERE ${byId} SETTINGS mutations_sync = 1`,
    keyOf(workspaceId, scoreId),
  )
}

const dayMs = 86_400_000
const byId = `workspace_id = {workspace:String} AND score_id = {score:UUID}
  AND created_at >= fromUnixTimestamp64Milli({first:Int64}) AND created_at <= fromUnixTimestamp64Milli({last:Int64})`

/** A score is made when it is given, give or take a clock that was set. */
const keyOf = (workspace: string, score: string) => ({
  workspace,
  score,
  first: Math.max(0, arrivalMs(score) - dayMs),
  last: Math.min(arrivalMs(score) + dayMs, Date.UTC(2262, 0)),
})
