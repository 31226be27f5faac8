/** Deleted scores that spans report, kept while more spans may join their trace. */
import type { Sql } from '../store/sql.ts'
import type { AssemblyPlan } from './assembly-plans.ts'

const idsPerStatement = 500

type Key = Pick<AssemblyPlan['traces'][number], 'workspaceId' | 'otelTraceId'>

/** The ids of deleted scores of some traces, by primary key. */
export async function findDeletedScores(sql: Sql, keys: readonly Key[]): Promise<ReadonlySet<string>> {
  const ids = new Set<string>()
  for (const [workspaceId, workspaceKeys] of Map.groupBy(keys, (key) => key.workspaceId))
    for (let start = 0; start < workspaceKeys.length; start += idsPerStatement) {
      const some = workspaceKeys.slice(start, start + idsPerStatement).map(({ otelTraceId }) => otelTraceId)
      const rows = await sql<{ deleted_scores: string }>`
        SELECT deleted_scores FROM assemblies
        WHERE workspace_id = ${workspaceId} AND otel_trace_id IN (${some}) AND deleted_scores IS NOT NULL`
      for (const row of rows) for (const id of row.deleted_scores.split(' ')) ids.add(id)
    }
  return ids
}
