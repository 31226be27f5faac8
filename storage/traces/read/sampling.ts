/** Sampling statistics of an evaluator: how many of its traces were sampled, and scores by version. */
import type { Clients } from '../engine/clients.ts'
import type { SamplingGroup } from '../types.ts'
import { currentRows } from './current-rows.ts'

/** Largest groups first; reads the given range of starts. */
export async function samplingOf(
  clients: Clients,
  workspace: string,
  slug: string,
  { fromUs, toUs }: { readonly fromUs: bigint; readonly toUs: bigint },
): Promise<SamplingGroup[]> {
  const rows = await clients.search<{
    rate: number | null
    sampled_by_text: string
    eligible: string
    drawn: string
  }>(
    `SELECT sample_rate AS rate, toString(sampled_by) AS sampled_by_text, toString(count()) AS eligible,
       toString(countIf(sampled)) AS drawn
     FROM traces
     WHERE workspace_id = {workspace:String} AND start_us >= {from:Int64} AND start_us < {to:Int64}
       AND has(judges, {slug:String}) AND ${currentRows('traces')}
     GROUP BY rate, sampled_by_text ORDER BY count() DESC, rate, sampled_by_text LIMIT 100`,
    { workspace, slug, from: fromUs, to: toUs },
  )
  return rows.map(({ rate, sampled_by_text: evaluator, eligible, drawn }) => ({
    rate,
    sampledBy: evaluator === '' ? null : evaluator,
    eligible: Number(eligible),
    drawn: Number(drawn),
  }))
}

/** Reads three narrow columns of the workspace's scores. */
export async function scoresByVersion(
  clients: Clients,
  workspace: string,
  slug: string,
): Promise<Map<number, number>> {
  const rows = await clients.search<{ version: string; scores: string }>(
    `SELECT toString(evaluator_version) AS version, toString(count()) AS scores FROM scores
     WHERE workspace_id = {workspace:String} AND evaluator_slug = {slug:String} AND evaluator_version IS NOT NULL
     GROUP BY version`,
    { workspace, slug },
  )
  return new Map(rows.map(({ version, scores }) => [Number(version), Number(scores)]))
}
