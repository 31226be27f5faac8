/** The traces of experiments: the compared values of all, and the texts of the few that are shown. */
import type { Clients } from '../engine/clients.ts'
import { currentRows } from '../engine/current-rows.ts'
import type { ScoreRow } from '../rows/row-types.ts'
import type { ExperimentTrace, TraceTexts } from '../types.ts'

/** Up to `limit` traces of each experiment, latest first, with the last score of each name. */
export async function experimentTraces(
  clients: Clients,
  workspaceId: string,
  experimentIds: readonly string[],
  limit: number,
): Promise<ExperimentTrace[]> {
  const parameters = { workspace: workspaceId, experiments: experimentIds, limit }
  const ofExperiments = `workspace_id = {workspace:String} AND experiment_id IN {experiments:Array(String)}
    AND ${currentRows('traces')}`
  const rows = await clients.search<Record<string, string | number | null>>(
    `SELECT toString(trace_id) AS id, experiment_id AS experiment, toString(start_us) AS start,
       duration_us / 1000 AS duration, cost, total_tokens AS tokens, errors,
       metadata_texts['datasetRowId'] AS dataset_row, metadata_texts['dataset'] AS dataset,
       metadata_texts['datasetVersion'] AS dataset_version,
       metadata_texts['datasetSplit'] AS split, metadata_texts['datasetLabel'] AS label, metadata_texts['row'] AS row, evaluators, hex(sipHash128(input)) AS hash
     FROM traces WHERE ${ofExperiments}
     ORDER BY start_us DESC, trace_id DESC LIMIT {limit:UInt32} BY experiment_id`,
    parameters,
  )
  const scores = await clients.search<{ id: string; name: string; value: string }>(
    `SELECT toString(trace_id) AS id, name, argMax(value, (created_at, score_id)) AS value FROM scores
     WHERE workspace_id = {workspace:String} AND log_id IS NULL
       AND trace_id IN (SELECT trace_id FROM traces WHERE ${ofExperiments})
     GROUP BY id, name ORDER BY name`,
    parameters,
  )
  const scoresOf = Map.groupBy(scores, ({ id }) => id)
  return rows.map((row) => ({
    traceId: String(row.id),
    experimentId: String(row.experiment),
    startUs: BigInt(row.start ?? 0),
    durationMs: row.duration === null ? null : Number(row.duration),
    cost: row.cost === null ? null : Number(row.cost),
    tokens: Number(row.tokens),
    errors: Number(row.errors),
    datasetRowId: String(row.dataset_row),
    dataset: String(row.dataset),
    datasetVersion: String(row.dataset_version),
    split: String(row.split),
    label: String(row.label),
    row: String(row.row),
    // Safe: the row was encoded from a list of this shape.
    evaluatorSlugs: (JSON.parse(String(row.evaluators || '[]')) as { slug: string }[]).map(
      ({ slug }) => slug,
    ),
    inputHash: String(row.hash),
    scores: (scoresOf.get(String(row.id)) ?? []).map(({ name, value }) => ({
      name,
      // Safe: the store encoded it from such a value.
      value: JSON.parse(value) as ScoreRow['value'],
    })),
  }))
}

/** The beginnings of the texts of some traces, by primary key. */
export async function textsOf(
  clients: Clients,
  workspaceId: string,
  traces: readonly { traceId: string; startUs: bigint }[],
  characters: number,
): Promise<Map<string, TraceTexts>> {
  if (traces.length === 0) return new Map()
  const rows = await clients.read<{ id: string; input: string; output: string; ideal: string }>(
    `SELECT toString(trace_id) AS id, substringUTF8(input, 1, {characters:UInt32}) AS input,
       substringUTF8(output, 1, {characters:UInt32}) AS output,
       substringUTF8(ideal_output, 1, {characters:UInt32}) AS ideal
     FROM traces WHERE workspace_id = {workspace:String} AND trace_id IN {traces:Array(UUID)}
       AND start_us IN (SELECT arrayJoin(arrayMap(start -> toInt64(start), {starts:Array(String)})))
     ORDER BY revision`,
    {
      workspace: workspaceId,
      characters,
      traces: traces.map(({ traceId }) => traceId),
      starts: traces.map(({ startUs }) => String(startUs)),
    },
  )
  const orNull = (text: string): string | null => (text === '' ? null : text)
  return new Map(
    rows.map(({ id, input, output, ideal }) => [
      id,
      { input: orNull(input), output: orNull(output), idealOutput: orNull(ideal) },
    ]),
  )
}
