/** The check after an erasure: which rows still name a user or an organization. */
import type { Clients } from '../engine/clients.ts'
import type { DataSubject, SubjectRows } from '../types.ts'
import { conditionsWithWords } from './list.ts'

/** Counts deleted rows that have not been removed yet: they are still on disk. */
const onDisk = 'SETTINGS apply_deleted_mask = 0, apply_patch_parts = 0'

/** How many rows that arrived up to a given time name the subject. */
export async function subjectRows(
  clients: Clients,
  workspaceId: string,
  { type, ids }: DataSubject,
  untilMs: number,
): Promise<SubjectRows> {
  const column = type === 'user' ? 'user_id' : 'organization_id'
  const parameters = { workspace: workspaceId, subjects: ids, until: untilMs }
  const count = async (table: string, condition: string, arrival = 'received_at'): Promise<number> => {
    const [row] = await clients.search<{ rows: string }>(
      `SELECT toString(count()) AS rows FROM ${table} WHERE workspace_id = {workspace:String} AND ${condition}
         AND ${arrival} <= fromUnixTimestamp64Milli({until:Int64}) ${onDisk}`,
      parameters,
    )
    return Number(row?.rows)
  }
  const countMentions = async (id: string): Promise<number> => {
    if (id.trim() === '') return 0
    const mentions = conditionsWithWords(workspaceId, { q: `"${id.replaceAll('"', ' ')}"` })
    const [row] = await clients.search<{ rows: string }>(
      `SELECT toString(count()) AS rows FROM traces
       WHERE ${mentions.sql.join(' AND ')} AND NOT ifNull(${column} IN {subjects:Array(String)}, false)`,
      { ...mentions.parameters, ...parameters },
    )
    return Number(row?.rows)
  }
  let mentions = 0
  for (const id of ids) mentions += await countMentions(id)
  return {
    traces: await count('traces', `${column} IN {subjects:Array(String)}`),
    logs: await count('logs', `${column} IN {subjects:Array(String)}`),
    scores: type === 'user' ? await count('scores', 'user_id IN {subjects:Array(String)}', 'created_at') : 0,
    // Spans are kept for days, so reading all of them is bounded.
    spans: await count(
      'spans',
      'arrayExists(id -> position(span, toJSONString(id)) > 0, {subjects:Array(String)})',
    ),
    mentions,
  }
}
