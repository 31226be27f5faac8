/** Sampling statistics of an evaluator: how many of its traces were sampled, and scores by version. */
import type { Clients } from '../engine/clients.ts'
import { currentRows } from '../engine/current-rows.ts'
import type { SamplingGroup, SamplingQuery } from '../types.ts'
import { isSampledSql, thresholdOf } from './live-matches.ts'

/**
 * Largest groups first; reads the given range of starts. A trace that was sampled at the highest rate of its evaluators
 * is judged by this one at its own rate.
 */
export async function samplingOf(
  clients: Clients,
  workspace: string,
  slug: string,
  { fromUs, toUs, ownRate }: SamplingQuery,
): Promise<SamplingGroup[]> {
  const rows = await clients.search<{
    rate: number | null
    sampled_by_text: string
    eligible: string
    drawn: string
  }>(
    `SELECT sample_rate AS rate, toString(sampled_by) AS sampled_by_text, toString(count()) AS eligible,
       toString(countIf(sampled AND (NOT startsWith(sampled_by, 'evaluator:') OR ${isSampledSql('trace_id')}))) AS drawn
     FROM traces
     WHERE workspace_id = {workspace:String} AND start_us >= {from:Int64} AND start_us < {to:Int64}
       AND has(judges, {slug:String}) AND ${currentRows('traces')}
     GROUP BY rate, sampled_by_text ORDER BY count() DESC, rate, sampled_by_text LIMIT 100`,
    { workspace, slug, from: fromUs, to: toUs, threshold: thresholdOf(ownRate) },
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
