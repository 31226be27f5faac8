/**
 * A growing trace is stored again under a higher revision, and the rows that it had are deleted afterwards. Until then
 * both are there, and whatever counts rows must leave the older ones out.
 *
 * One statement reads one state of a table, subqueries included (`enable_shared_storage_snapshot_in_query`), so this
 * condition sees either revision or both, and always lets one through. Only rows that were written lately can have
 * older ones beside them: every replacement below the revision `replacedBelow` is complete. That revision may lag
 * behind, which costs time and changes no answer. Served by the index of revisions; `isGrowing` is false where no such
 * row is there.
 */
export function currentRows(table: 'traces' | 'logs'): string {
  const currentPart = `FROM ${table} WHERE workspace_id = {workspace:String} AND revision >= {replacedBelow:UInt64}`
  return `if({isGrowing:Bool}, if(revision >= {replacedBelow:UInt64},
    (trace_id, revision) IN (SELECT trace_id, max(revision) ${currentPart} GROUP BY trace_id),
    trace_id NOT IN (SELECT trace_id ${currentPart})), true)`
}
