/** Scores without their traces: listed by time, changed and deleted by id. */
import { uuidOfAnyCasePattern } from '@plumbline/contract/uuids'
import type { Clients, Parameters } from '../engine/clients.ts'
import { readRow, scoreColumns, selectList } from '../rows/read-rows.ts'
import type { ScoreRow } from '../rows/row-types.ts'
import type { ScoreChange, ScoreFilters, ScorePosition, ScoreRevision } from '../types.ts'

/** A page of scores, latest first; reads the months of the range. */
export async function listScores(
  clients: Clients,
  workspaceId: string,
  { traceId, traceIds, name, source, fromMs, toMs }: ScoreFilters,
  { limit, before }: { limit: number; before?: ScorePosition | undefined },
): Promise<{ scores: ScoreRow[]; next?: ScorePosition }> {
  if (traceId !== undefined && !uuidOfAnyCasePattern.test(traceId)) return { scores: [] }
  const conditions: [sql: string, name: string, value: Parameters[string] | undefined][] = [
    ['workspace_id = {workspace:String}', 'workspace', workspaceId],
    ['trace_id = {trace:UUID}', 'trace', traceId],
    // An invalid id matches nothing.
    ['trace_id IN {traces:Array(UUID)}', 'traces', traceIds?.filter((id) => uuidOfAnyCasePattern.test(id))],
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
  // Safe: conditions without a value were filtered out.
  const parameters = Object.fromEntries(used.map(([, parameter, value]) => [parameter, value])) as Parameters
  const rows = await clients.search<Record<string, unknown>>(
    `SELECT ${selectList(scoreColumns)} FROM scores WHERE ${used.map(([sql]) => sql).join(' AND ')}
     ORDER BY created_at DESC, score_id DESC LIMIT {limit:UInt32}`,
    { ...parameters, limit: limit + 1 },
  )
  const scores = latestRevisions(rows.slice(0, limit).map((row) => readRow(scoreColumns, row)))
  const last = scores.at(-1)
  return rows.length > limit && last !== undefined
    ? { scores, next: { createdAtMs: last.createdAtMs, scoreId: last.scoreId } }
    : { scores }
}

/** One score, by the index of ids; its last revision. */
export async function findScore(
  clients: Clients,
  workspaceId: string,
  scoreId: string,
): Promise<ScoreRow | undefined> {
  if (!uuidOfAnyCasePattern.test(scoreId)) return undefined
  const [row] = await clients.read<Record<string, unknown>>(
    `SELECT ${selectList(scoreColumns)} FROM scores WHERE ${byId} ORDER BY scores.revision DESC LIMIT 1`,
    { workspace: workspaceId, score: scoreId },
  )
  return row && readRow(scoreColumns, row)
}

/**
 * Changes only the named fields of a score, so that concurrent edits of other fields are not lost. Rewrites the part
 * that contains it, so it suits only occasional edits by users.
 */
export async function changeScore(
  clients: Clients,
  { workspaceId, scoreId }: Pick<ScoreRow, 'workspaceId' | 'scoreId'>,
  { value, comment }: ScoreChange,
): Promise<void> {
  const number = value === undefined || typeof value === 'string' ? undefined : Number(value)
  const columns = [
    ...(value === undefined
      ? []
      : ['value = {value:String}', `number = ${number === undefined ? 'NULL' : '{number:Float64}'}`]),
    ...(comment === undefined ? [] : [`comment = ${comment === null ? 'NULL' : '{comment:String}'}`]),
  ]
  if (columns.length === 0) return
  await clients.command(
    `ALTER TABLE scores UPDATE ${columns.join(', ')} WHERE ${byId} SETTINGS mutations_sync = 1`,
    {
      workspace: workspaceId,
      score: scoreId,
      ...(value === undefined ? {} : { value: JSON.stringify(value) }),
      ...(number === undefined ? {} : { number }),
      ...(comment == null ? {} : { comment }),
    },
  )
}

export async function deleteScore(clients: Clients, workspaceId: string, scoreId: string): Promise<void> {
  await clients.command(`DELETE FROM scores WHERE ${byId} ${byPatch}`, {
    workspace: workspaceId,
    score: scoreId,
  })
}

const scoresPerStatement = 500

/** Deletes earlier revisions of scores, by primary key. */
export async function keepLatestScores(clients: Clients, scores: readonly ScoreRevision[]): Promise<void> {
  for (let start = 0; start < scores.length; start += scoresPerStatement) {
    const some = scores.slice(start, start + scoresPerStatement)
    const parameters = {
      workspaces: [...new Set(some.map(({ workspaceId }) => workspaceId))],
      traces: [...new Set(some.map(({ traceId }) => traceId))],
      scores: [...new Set(some.map(({ scoreId }) => scoreId))],
    }
    const conditions = `workspace_id IN {workspaces:Array(String)} AND trace_id IN {traces:Array(UUID)}
      AND score_id IN {scores:Array(UUID)}`
    const duplicates = await clients.read<{ id: string; last: string }>(
      `SELECT score_id AS id, toString(max(revision)) AS last FROM scores WHERE ${conditions}
       GROUP BY score_id HAVING count() > 1`,
      parameters,
    )
    if (duplicates.length === 0) continue
    const older = duplicates.map(({ id, last }) => `(score_id = '${id}' AND revision < ${last})`).join(' OR ')
    await clients.command(`DELETE FROM scores WHERE ${conditions} AND (${older}) ${byPatch}`, parameters)
  }
}

/** Keeps the last revision of each score, which may briefly exist twice. */
export function latestRevisions(scores: readonly ScoreRow[]): ScoreRow[] {
  const last = new Map<string, ScoreRow>()
  for (const score of scores) {
    const latest = last.get(score.scoreId)
    if (latest === undefined || latest.revision < score.revision) last.set(score.scoreId, score)
  }
  return [...last.values()]
}

const byId = 'workspace_id = {workspace:String} AND score_id = {score:UUID}'
/** A patch costs one insert; rewriting the mask would take time proportional to the size of the parts. */
const byPatch =
  "SETTINGS lightweight_delete_mode = 'lightweight_update_force', lightweight_deletes_sync = 2, enable_lightweight_update = 1"
