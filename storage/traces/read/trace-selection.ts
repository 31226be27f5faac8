/** Which traces of a workspace a deletion covers. */
import { uuidPattern } from '@plumbline/contract/uuids'
import type { Clients } from '../engine/clients.ts'
import { storedConditions } from '../filters/filters.ts'
import type { Conditions } from '../filters/where.ts'
import { withoutJudges } from '../filters/without-judges.ts'
import type { DataSubject, SelectionCounts, TraceSelection, ValueChoice } from '../types.ts'
import { conditionsWithWords } from './list.ts'

const idForms = [
  ['trace_id', uuidPattern],
  ['otel_trace_id', /^[0-9a-f]{32}$/],
] as const

/** Conditions on the table `traces`; rows that are being replaced are deleted with the others. */
export function conditionsOfSelection(selection: TraceSelection): Conditions {
  const { workspaceId, untilMs } = selection
  const filters = selection.type === 'filters' ? selection.filters : {}
  const base = conditionsWithWords(workspaceId, filters, { conditionsOf: storedConditions })
  const until = 'received_at <= fromUnixTimestamp64Milli({until:Int64})'
  const parameters = { ...base.parameters, until: untilMs }
  switch (selection.type) {
    case 'filters':
      return { sql: [...base.sql, ...withoutJudges(filters.where), until], parameters }
    case 'ids':
      return { sql: [...base.sql, until, isAmongIds('trace_id', selection.traceIds)], parameters }
    case 'rows': {
      // Served by the index of metadata values.
      const ofRows = isAmongIds(`metadata_texts['datasetRowId']`, selection.rowIds)
      const ofOthers = `NOT ifNull(${columnOf(selection.subject)} IN {subjects:Array(String)}, false)`
      return {
        sql: [...base.sql, until, ofRows, ofOthers],
        parameters: { ...parameters, subjects: selection.subject.ids },
      }
    }
    case 'origin': {
      const { features, environments } = selection
      const isAmong = (column: string, name: string, { isExcept }: ValueChoice): string =>
        `${isExcept ? 'NOT ' : ''}ifNull(${column} IN {${name}:Array(String)}, false)`
      return {
        sql: [
          ...base.sql,
          until,
          isAmong('feature_slug', 'features', features),
          isAmong('environment', 'environments', environments),
        ],
        parameters: { ...parameters, features: features.values, environments: environments.values },
      }
    }
    case 'subject': {
      return {
        sql: [...base.sql, until, `${columnOf(selection.subject)} IN {subjects:Array(String)}`],
        parameters: { ...parameters, subjects: selection.subject.ids },
      }
    }
    case 'sessions': {
      const sessions = `SELECT session_id FROM traces WHERE workspace_id = {workspace:String} AND session_id IS NOT NULL`
      return {
        sql: [
          ...base.sql,
          until,
          'user_id IS NULL AND session_id IS NOT NULL',
          `session_id IN (${sessions} AND user_id IN {subjects:Array(String)})`,
          `session_id NOT IN (${sessions} AND user_id IS NOT NULL AND user_id NOT IN {subjects:Array(String)})`,
        ],
        parameters: { ...parameters, subjects: selection.userIds },
      }
    }
  }
}

const columnOf = ({ type }: DataSubject): string => (type === 'user' ? 'user_id' : 'organization_id')

/** Ids are part of the statement: thousands of parameters would not fit into a URL. */
function isAmongIds(column: string, ids: readonly string[]): string {
  const uuids = ids.map((id) => id.toLowerCase()).filter((id) => uuidPattern.test(id))
  return uuids.length === 0 ? 'false' : `${column} IN (${uuids.map((id) => `'${id}'`).join(',')})`
}

/** Which of the given traces, by our id or their OpenTelemetry id, are part of the selection. */
export async function matchingIds(
  clients: Clients,
  selection: TraceSelection,
  traceIds: readonly string[],
): Promise<Set<string>> {
  const { sql, parameters } = conditionsOfSelection(selection)
  const matches = new Set<string>()
  for (const [column, form] of idForms) {
    const ids = traceIds.filter((id) => form.test(id))
    if (ids.length === 0) continue
    const rows = await clients.search<{ id: string }>(
      `SELECT DISTINCT ${column} AS id FROM traces
       WHERE ${sql.join(' AND ')} AND ${column} IN (${ids.map((id) => `'${id}'`).join(',')})`,
      parameters,
    )
    for (const { id } of rows) matches.add(id)
  }
  return matches
}

/** How many rows a deletion of the selection would delete. */
export async function countSelection(clients: Clients, selection: TraceSelection): Promise<SelectionCounts> {
  const { sql, parameters } = conditionsOfSelection(selection)
  const matching = `FROM traces WHERE ${sql.join(' AND ')}`
  const [row] = await clients.search<{ traces: string; logs: string; scores: string }>(
    `SELECT toString(count()) AS traces, toString(sum(log_count)) AS logs,
       (SELECT toString(uniqExact(score_id)) FROM scores
        WHERE workspace_id = {workspace:String} AND trace_id IN (SELECT trace_id ${matching})) AS scores
     ${matching}`,
    parameters,
  )
  return { traces: Number(row?.traces), logs: Number(row?.logs), scores: Number(row?.scores ?? 0) }
}

/** Counts the scores that an end user gave, on any trace. */
export async function countScoresOfUser(
  clients: Clients,
  workspaceId: string,
  { userIds, untilMs }: { readonly userIds: readonly string[]; readonly untilMs: number },
): Promise<number> {
  const [row] = await clients.search<{ scores: string }>(
    `SELECT toString(uniqExact(score_id)) AS scores FROM scores
     WHERE workspace_id = {workspace:String} AND user_id IN {users:Array(String)}
       AND created_at <= fromUnixTimestamp64Milli({until:Int64})`,
    { workspace: workspaceId, users: userIds, until: untilMs },
  )
  return Number(row?.scores)
}
