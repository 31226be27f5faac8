/** The values of fields among the traces of a list, with counts. */
import type { Clients } from './clients.ts'
import { conditionsWithWords } from './list.ts'
import type { Facet, TraceFilters } from './store.ts'

/** Expressions that return one row per value of a trace. */
const values: Readonly<Record<string, string>> = {
  feature: 'feature_slug',
  experiment: 'experiment_id',
  user: 'user_id',
  organization: 'organization_id',
  session: 'session_id',
  name: 'name',
  model: 'arrayJoin(models)',
  type: 'arrayJoin(log_types)',
  prompt: 'arrayJoin(arrayDistinct(prompts.1))',
  promptVersion: 'arrayJoin(arrayDistinct(prompts.2))',
  metadata: 'arrayJoin(mapKeys(metadata_texts))',
  hasError: `if(errors > 0, 'true', 'false')`,
}

/** Fields with facets, besides `metadata.KEY`. */
export const facetFields: readonly string[] = [...Object.keys(values), 'provider', 'score']

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
    const isStarted = prefix === undefined ? '1' : 'startsWith(lowerUTF8(v), lowerUTF8({prefix:String}))'
    const countValues = (source: string, count = 'count()'): string =>
      `SELECT ${index} AS f, v, toString(${count}) AS n FROM (${source})
       WHERE v IS NOT NULL AND v != '' AND ${isStarted} GROUP BY v ORDER BY ${count} DESC, v LIMIT {limit:UInt32}`
    const inList = `workspace_id = {workspace:String} AND trace_id IN (SELECT trace_id FROM traces WHERE ${where})`
    if (field === 'score' || field === 'provider') {
      const [column, table] = field === 'score' ? ['name', 'scores'] : ['provider', 'logs']
      return countValues(
        `SELECT toString(${column}) AS v, trace_id FROM ${table} WHERE ${inList}`,
        'uniqExact(trace_id)',
      )
    }
    if (!field.startsWith('metadata.')) {
      return countValues(`SELECT toString(${values[field]}) AS v FROM traces WHERE ${where}`)
    }
    bound[`facet${index}`] = field.slice('metadata.'.length)
    return countValues(`SELECT metadata_texts[{facet${index}:String}] AS v FROM traces WHERE ${where}`)
  })
  const rows = await clients.search<{ f: number; v: string; n: string }>(
    parts.map((part) => `SELECT * FROM (${part})`).join(' UNION ALL '),
    { ...parameters, ...bound, ...(prefix === undefined ? {} : { prefix }) },
  )
  return fields.map((field, index) => ({
    field,
    values: rows
      .filter(({ f }) => f === index)
      .map(({ v, n }) => ({ value: v, count: Number(n) }))
      .sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1)),
  }))
}
