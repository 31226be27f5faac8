/** The evaluators of all workspaces that judge live traffic, which recording needs to know. */
import type { Sql } from '../store/sql.ts'
import { isObject, readable, readJson } from '../unreadable-rows.ts'

export type LiveEvaluator = {
  readonly slug: string
  readonly kind: string
  readonly config: string
  readonly version: number
  /** JSON text. */
  readonly liveRule: string
}

/**
 * Maps workspaces to their evaluators with one statement, however many workspaces there are. Few evaluators have a
 * rule.
 */
export async function liveEvaluators(sql: Sql): Promise<Map<string, LiveEvaluator[]>> {
  const rows = await sql<{
    workspace_id: string
    slug: string
    kind: string
    config: string
    version: number
    live_rule: string
  }>`
    SELECT workspace_id, slug, kind, config, version, live_rule FROM evaluators
    WHERE live_rule IS NOT NULL ORDER BY created_at, id`
  return new Map(
    [...Map.groupBy(rows, (row) => row.workspace_id)].map(([workspaceId, ofWorkspace]) => [
      workspaceId,
      readable('evaluators', ofWorkspace, ({ slug, kind, config, version, live_rule }) => ({
        slug,
        kind,
        config: readJson(config, 'config', isObject),
        version,
        liveRule: readJson(live_rule, 'live_rule', isObject),
      })),
    ]),
  )
}
