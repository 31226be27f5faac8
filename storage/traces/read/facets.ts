/** The values of fields among the traces of a list, with counts. */
import { metadataPrefix } from '@plumbline/contract'
import type { Clients } from '../engine/clients.ts'
import { findField } from '../filters/where.ts'
import type { Facet, TraceFilters } from '../types.ts'
import { currentRows } from './current-rows.ts'
import { conditionsWithWords } from './list.ts'

/** What counts as a value in each facet that reads traces: an expression of one value, or of a list of a trace's. */
function valuesOf(field: string, bind: (text: string) => string): { sql: string; isList: boolean } {
  if (field === 'metadata') return { sql: 'mapKeys(metadata_texts)', isList: true }
  if (field.startsWith(metadataPrefix))
    return { sql: `metadata_texts[${bind(field.slice(metadataPrefix.length))}]`, isList: false }
  // Safe: callers check the name, and a field without a column is read from the logs.
  const { type, column } = findField(field)!
  switch (type) {
    case 'list':
      return { sql: `arrayDistinct(${column})`, isList: true }
    case 'flag':
      return { sql: `if(${column}, 'true', 'false')`, isList: false }
    default:
      return { sql: column!, isList: false }
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
  const isStarted =
    prefix === undefined
      ? '1'
      : "(startsWith(lowerUTF8(v), lowerUTF8({prefix:String})) OR (l != '' AND positionCaseInsensitiveUTF8(l, {prefix:String}) > 0))"
  const countValues = (source: string, count = 'count()'): string =>
    `SELECT f, v, any(l) AS label, toString(${count}) AS n FROM (${source})
     WHERE v IS NOT NULL AND v != '' AND ${isStarted} GROUP BY f, v ORDER BY ${count} DESC, v LIMIT {limit:UInt32} BY f`
  const inList = `workspace_id = {workspace:String} AND trace_id IN (SELECT trace_id FROM traces WHERE ${where})`
  const parts: string[] = []
  const ofTraces: (ReturnType<typeof valuesOf> & { readonly index: number; readonly label: string })[] = []
  for (const [index, field] of fields.entries()) {
    const source = elsewhere(field)
    if (source === undefined) {
      const bind = (text: string): string => {
        bound[`facet${index}`] = text
        return `{facet${index}:String}`
      }
      const label = field.startsWith(metadataPrefix) ? undefined : findField(field)?.nameColumn
      ofTraces.push({
        ...valuesOf(field, bind),
        index,
        label: label === undefined ? "''" : `ifNull(${label}, '')`,
      })
      continue
    }
    const [table, column] = source
    parts.push(
      countValues(
        `SELECT ${index} AS f, toString(${column}) AS v, '' AS l, trace_id FROM ${table}
         WHERE ${[inList, ...(table === 'logs' ? [currentRows(table)] : [])].join(' AND ')}`,
        'uniqExact(trace_id)',
      ),
    )
  }
  // Each part of a union searches the texts by itself: one for all fields searches them once. Without words a part that
  // reads its one column is faster.
  if (filters.q !== undefined && ofTraces.length > 0) {
    const pairs = ofTraces.map(
      ({ index, sql: value, isList, label }) =>
        `arrayMap(x -> (${index}, ifNull(toString(x), ''), ${label}), ${isList ? value : `[${value}]`})`,
    )
    parts.push(
      countValues(
        `SELECT pair.1 AS f, pair.2 AS v, pair.3 AS l FROM
           (SELECT arrayJoin(arrayConcat(${pairs.join(', ')})) AS pair FROM traces WHERE ${where})`,
      ),
    )
  } else
    for (const { index, sql: value, isList, label } of ofTraces)
      parts.push(
        countValues(
          `SELECT ${index} AS f, toString(${isList ? `arrayJoin(${value})` : value}) AS v, ${label} AS l
           FROM traces WHERE ${where}`,
        ),
      )
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
