/** Which values the traces of a list have, and how many have each. */
import type { Clients } from './clients.ts'
import { conditionsWithWords } from './list.ts'
import type { Facet, TraceFilters } from './store.ts'

/** A row for each value that a trace has; array columns are joined. */
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

/** Fields with facets, but for `metadata.KEY`. */
export const facetFields: readonly string[] = [...Object.keys(values), 'provider', 'score']

/** The most frequent values of each field, one pass over the columns of the fields for all of them. */
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
    const counted = (source: string, count = 'count()'): string =>
      `SELECT ${index} AS f, v, toString(${count}) AS n FROM (${source})
       WHERE v IS NOT NULL AND v != '' AND ${isStarted} GROUP BY v ORDER BY ${count} DESC, v LIMIT {limit:UInt32}`
    const inList = `workspace_id = {workspace:String} AND trace_id IN (SELECT trace_id FROM traces WHERE ${where})`
    if (field === 'score' || field === 'provider') {
      const [column, table] = field === 'score' ? ['name', 'scores'] : ['provider', 'logs']
      return counted(
        `SELECT toString(${column}) AS v, trace_id FROM ${table} WHERE ${inList}`,
        'uniqExact(trace_id)',
      )
    }
    if (!field.startsWith('metadata.')) {
      return counted(`SELECT toString(${values[field]}) AS v FROM traces WHERE ${where}`)
    }
    bound[`facet${index}`] = field.slice('metadata.'.length)
    return counted(`SELECT metadata_texts[{facet${index}:String}] AS v FROM traces WHERE ${where}`)
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
      .sort((one, other) => other.count - one.count || (one.value < other.value ? -1 : 1)),
  }))
}
