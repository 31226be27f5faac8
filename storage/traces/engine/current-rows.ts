/**
 * A growing trace is stored again under a higher revision, and its older rows are deleted afterwards. Until then both
 * are stored, and every query that counts rows must leave the older ones out.
 *
 * One statement reads one state of a table, subqueries included (`enable_shared_storage_snapshot_in_query`), so this
 * condition sees either revision or both, and always passes exactly one. Only recently written rows can have older ones
 * beside them: every replacement below the revision `replacedBelow` is complete. That revision may lag behind, which
 * costs time but never changes a result. Served by the index of revisions.
 */
export const currentRows = (table: keyof typeof conditions): string => conditions[table]

const conditions = { traces: conditionOn('traces'), logs: conditionOn('logs') } as const

function conditionOn(table: string): string {
  const currentPart = `FROM ${table} WHERE workspace_id = {workspace:String} AND revision >= {replacedBelow:UInt64}`
  return `if(revision >= {replacedBelow:UInt64},
    (trace_id, revision) IN (SELECT trace_id, max(revision) ${currentPart} GROUP BY trace_id),
    trace_id NOT IN (SELECT trace_id ${currentPart}))`
}

/**
 * The statement without the condition, for when no row has an older one beside it: planning the condition takes as long
 * as a small statement.
 */
export const withoutOlderRows = (sql: string): string =>
  sql.replaceAll(conditions.traces, 'true').replaceAll(conditions.logs, 'true')
