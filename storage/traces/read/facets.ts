/** The values of fields among the traces of a list, with counts. */
import { metadataPrefix } from '@plumbline/contract'
import type { Clients } from '../engine/clients.ts'
import { findField } from '../filters/where.ts'
import type { Facet, TraceFilters } from '../types.ts'
import { currentRows } from './current-rows.ts'
import { conditionsWithWords } from './list.ts'

/** What counts as a value in each facet that reads traces: an expression with one row per value of a trace. */
function valuesOf(field: string): string {
  if (field === 'metadata') return 'arrayJoin(mapKeys(metadata_texts))'
  // Safe: callers check the name, and a field without a column is read from the logs.
  const { type, column } = findField(field)!
  switch (type) {
    case 'list':
      return `arrayJoin(arrayDistinct(${column}))`
    case 'flag':
      return `if(${column}, 'true', 'false')`
    default:
      return column!
  }
}

/** The table and column of a facet that is not of the traces themselves. */
function elsewhere(field: string): readonly [table: 'scores' | 'logs', column: string] | undefined {
  if (field === 'score') return ['scores', 'name']
  const traceField = findField(field)
  return traceField?.column === undefined && traceField?.logColumn !== undefined
    ? ['logs', traceField.logColumn]
    : undefined
}

/** The most frequent values of each field, in one statement. */
export async function countFacets(
  clients: Clients,
  workspaceId: string,
  filters: TraceFilters,
  { fields, prefix, limit }: { fields: readonly string[]; prefix?: string | undefined; limit: number },
): Promise<Facet[]> {
  const { sql, parameters } = conditionsWithWords(workspaceId, filters)
  const where = sql.join(' AND ')
  const bound: Record<string, string | number> = { limit }
  const parts = fields.map((field, index) => {
    const isStarted =
      prefix === undefined
        ? '1'
        : "(startsWith(lowerUTF8(v), lowerUTF8({prefix:String})) OR (l != '' AND positionCaseInsensitiveUTF8(l, {prefix:String}) > 0))"
    const countValues = (source: string, count = 'count()'): string =>
      `SELECT ${index} AS f, v, any(l) AS label, toString(${count}) AS n FROM (${source})
       WHERE v IS NOT NULL AND v != '' AND ${isStarted} GROUP BY v ORDER BY ${count} DESC, v LIMIT {limit:UInt32}`
    const inList = `workspace_id = {workspace:String} AND trace_id IN (SELECT trace_id FROM traces WHERE ${where})`
    const source = elsewhere(field)
    if (source !== undefined) {
      const [table, column] = source
      return countValues(
        `SELECT toString(${column}) AS v, '' AS l, trace_id FROM ${table}
         WHERE ${[inList, ...(table === 'logs' ? [currentRows(table)] : [])].join(' AND ')}`,
        'uniqExact(trace_id)',
      )
    }
    if (!field.startsWith(metadataPrefix)) {
      const label = findField(field)?.nameColumn
      return countValues(
        `SELECT toString(${valuesOf(field)}) AS v, ${label === undefined ? "''" : `ifNull(${label}, '')`} AS l FROM traces WHERE ${where}`,
      )
    }
    bound[`facet${index}`] = field.slice(metadataPrefix.length)
    return countValues(
      `SELECT metadata_texts[{facet${index}:String}] AS v, '' AS l FROM traces WHERE ${where}`,
    )
  })
  const rows = await clients.search<{ f: number; v: string; label: string; n: string }>(
    parts.map((part) => `SELECT * FROM (${part})`).join(' UNION ALL '),
    { ...parameters, ...bound, ...(prefix === undefined ? {} : { prefix }) },
  )
  return fields.map((field, index) => ({
    field,
    values: rows
      .filter(({ f }) => f === index)
      .map(({ v, label, n }) => ({ value: v, ...(label !== '' && { label }), count: Number(n) }))
      .sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1)),
  }))
}
