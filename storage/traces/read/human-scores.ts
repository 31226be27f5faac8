/** Scores to compare: several people's on the same traces, and an evaluator's with people's. */
import type { Clients } from '../engine/clients.ts'
import { readRow, scoreColumns, selectList } from '../rows/read-rows.ts'
import type { ScoreRow } from '../rows/row-types.ts'
import type { EvaluatorScoresQuery } from '../types.ts'
import { latestRevisions } from './scores.ts'

/** Human scores of some traces and their logs for these evaluators, by primary key. */
export async function humanScoresOf(
  clients: Clients,
  workspaceId: string,
  traceIds: readonly string[],
  evaluatorSlugs: readonly string[],
): Promise<ScoreRow[]> {
  const rows = await clients.search<Record<string, unknown>>(
    `SELECT ${selectList(scoreColumns)} FROM scores
     WHERE workspace_id = {workspace:String} AND trace_id IN {traces:Array(UUID)}
       AND evaluator_slug IN {slugs:Array(String)} AND source != 'evaluator'`,
    { workspace: workspaceId, traces: traceIds, slugs: evaluatorSlugs },
  )
  return latestRevisions(rows.map((row) => readRow(scoreColumns, row)))
}

/** Names of scores that people and applications gave to targets that the evaluator also judged, with counts. */
export async function commonScoreNames(
  clients: Clients,
  workspaceId: string,
  query: EvaluatorScoresQuery,
): Promise<{ name: string; count: number }[]> {
  const { sql, parameters } = byEvaluator(workspaceId, query)
  const rows = await clients.search<{ name: string; count: string | number }>(
    `SELECT name, uniqExact(${scoreTarget}) AS count FROM scores
     WHERE workspace_id = {workspace:String} AND ${byPeople} AND ${scoreTarget} IN (SELECT ${scoreTarget} FROM scores WHERE ${sql})
     GROUP BY name ORDER BY count DESC, name LIMIT 50`,
    parameters,
  )
  return rows.map(({ name, count }) => ({ name, count: Number(count) }))
}

const verdictsMax = 50_000
const humanScoresMax = 200_000

/** Scores of an evaluator and of people on the same targets, for one score name; at most the evaluator's last 50,000. */
export async function comparableScores(
  clients: Clients,
  workspaceId: string,
  query: EvaluatorScoresQuery,
  name: string,
): Promise<{ verdicts: ScoreRow[]; human: ScoreRow[] }> {
  const { sql, parameters } = byEvaluator(workspaceId, query)
  const ofName = `workspace_id = {workspace:String} AND name = {name:String} AND ${byPeople}`
  const readScores = async (condition: string, limit: number): Promise<ScoreRow[]> => {
    const rows = await clients.search<Record<string, unknown>>(
      `SELECT ${selectList(scoreColumns)} FROM scores WHERE ${condition}
       ORDER BY created_at DESC, score_id DESC LIMIT ${limit}`,
      { ...parameters, name },
    )
    return latestRevisions(rows.map((row) => readRow(scoreColumns, row)))
  }
  const [verdicts, human] = await Promise.all([
    readScores(
      `${sql} AND ${scoreTarget} IN (SELECT ${scoreTarget} FROM scores WHERE ${ofName})`,
      verdictsMax,
    ),
    readScores(
      `${ofName} AND ${scoreTarget} IN (SELECT ${scoreTarget} FROM scores WHERE ${sql})`,
      humanScoresMax,
    ),
  ])
  return { verdicts, human }
}

/** The judged trace or log. */
const scoreTarget = "(trace_id, ifNull(log_id, ''))"
const byPeople = "source IN ('human', 'api')"

function byEvaluator(workspaceId: string, { evaluatorSlug, fromMs, toMs }: EvaluatorScoresQuery) {
  return {
    sql: [
      `workspace_id = {workspace:String} AND evaluator_slug = {slug:String} AND source = 'evaluator'`,
      ...(fromMs === undefined ? [] : ['created_at >= fromUnixTimestamp64Milli({from:Int64})']),
      ...(toMs === undefined ? [] : ['created_at < fromUnixTimestamp64Milli({to:Int64})']),
    ].join(' AND '),
    parameters: {
      workspace: workspaceId,
      slug: evaluatorSlug,
      ...(fromMs === undefined ? {} : { from: fromMs }),
      ...(toMs === undefined ? {} : { to: toMs }),
    },
  }
}
