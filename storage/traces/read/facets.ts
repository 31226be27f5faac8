/** The values of fields among the traces of a list, with counts. */
import { metadataPrefix } from '@plumbline/contract'
import type { Clients, Parameters } from '../engine/clients.ts'
import { currentRows } from '../engine/current-rows.ts'
import { findField } from '../filters/where.ts'
import type { FacetQuery, Facets, TraceFilters } from '../types.ts'
import { conditionsWithWords, type StartColumn } from './list.ts'
import {
  estimateCount,
  isInSample,
  replicateOf,
  replicates,
  type TraceSample,
  takeSample,
  usualSampleSize,
} from './trace-sample.ts'

/** The values of a facet that reads traces: an expression for one value per trace, or for a list. */
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

/** The table and column of a facet that is not read from the traces table. */
function elsewhere(field: string): readonly [table: 'scores' | 'logs', column: string] | undefined {
  if (field === 'score') return ['scores', 'name']
  const traceField = findField(field)
  return traceField?.column === undefined && traceField?.logColumn !== undefined
    ? ['logs', traceField.logColumn]
    : undefined
}

/**
 * The most frequent values of each field, in one statement. For a long list they are counted in a sample, unless the
 * user searches for a value: a customer typed by name may have few traces.
 */
export async function countFacets(
  clients: Clients,
  workspaceId: string,
  filters: TraceFilters,
  { fields, prefix, limit, sampleSize = usualSampleSize }: FacetQuery,
): Promise<Facets> {
  const sample =
    prefix === undefined ? await takeSample(clients, workspaceId, filters, sampleSize) : undefined
  const statement = new FacetStatement(workspaceId, filters, sample)
  const [rows, sampleCounts] = await Promise.all([
    clients.search<FacetCount>(...statement.countValues(fields, { prefix, limit })),
    sample === undefined ? undefined : countSample(clients, workspaceId, sample),
  ])
  const countOf = (counts: readonly string[]): { count: number; marginOfError?: number } =>
    sample === undefined || sampleCounts === undefined
      ? { count: Number(counts[0]) }
      : estimateCount(sample.total, counts.map(Number), sampleCounts)
  const facets = fields.map((field, index) => ({
    field,
    values: rows
      .filter(({ f }) => f === index)
      .map(({ v, label, counts }) => ({ value: v, ...(label !== '' && { label }), ...countOf(counts) }))
      .sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1)),
  }))
  if (sample === undefined || sampleCounts === undefined) return { facets }
  const traces = sampleCounts.reduce((total, count) => total + count, 0)
  return { facets, sample: { traces, total: sample.total } }
}

interface FacetCount {
  /** The index of the field. */
  readonly f: number
  readonly v: string
  readonly label: string
  /** One count, or one for each replicate of a sample. */
  readonly counts: readonly string[]
}

/** Builds the statement that counts the values of all fields. */
class FacetStatement {
  readonly #sample: TraceSample | undefined
  readonly #where: string
  readonly #parameters: Record<string, Parameters[string]>

  constructor(workspaceId: string, filters: TraceFilters, sample: TraceSample | undefined) {
    const limitStart = sample && ((start: StartColumn) => isInSample(sample, start))
    const { sql, parameters } = conditionsWithWords(workspaceId, filters, { limitStart })
    this.#sample = sample
    this.#where = sql.join(' AND ')
    this.#parameters = { ...parameters }
  }

  countValues(
    fields: readonly string[],
    { prefix, limit }: Pick<FacetQuery, 'prefix' | 'limit'>,
  ): [sql: string, parameters: Parameters] {
    Object.assign(this.#parameters, { limit }, prefix === undefined ? {} : { prefix })
    const entries = fields.map((field, index) => ({ field, index, source: elsewhere(field) }))
    const ofTraces = entries.flatMap(({ field, index, source }) =>
      source === undefined ? [this.#traceValue(field, index)] : [],
    )
    const parts = [
      ...entries.flatMap(({ index, source }) =>
        source === undefined ? [] : [this.#countElsewhere(index, source)],
      ),
      ...this.#countOfTraces(ofTraces),
    ]
    const isStarted =
      prefix === undefined
        ? '1'
        : "(startsWith(lowerUTF8(v), lowerUTF8({prefix:String})) OR (l != '' AND positionCaseInsensitiveUTF8(l, {prefix:String}) > 0))"
    const statements = parts.map(
      ({ source, counts }) =>
        `SELECT * FROM (SELECT f, v, any(l) AS label, ${counts} AS n, arrayMap(x -> toString(x), n) AS counts FROM (${source})
           WHERE v IS NOT NULL AND v != '' AND ${isStarted} GROUP BY f, v ORDER BY arraySum(n) DESC, v LIMIT {limit:UInt32} BY f)`,
    )
    return [`SELECT f, v, label, counts FROM (${statements.join(' UNION ALL ')})`, this.#parameters]
  }

  #traceValue(field: string, index: number): TraceValue {
    const bind = (text: string): string => {
      this.#parameters[`facet${index}`] = text
      return `{facet${index}:String}`
    }
    const label = field.startsWith(metadataPrefix) ? undefined : findField(field)?.nameColumn
    return { ...valuesOf(field, bind), index, label: label === undefined ? "''" : `ifNull(${label}, '')` }
  }

  /**
   * One part for all fields: each part of a union is planned separately, which takes longer than counting 100,000
   * traces, and searches the texts separately. A single field is read directly, which is faster than a list of one.
   */
  #countOfTraces(values: readonly TraceValue[]): FacetPart[] {
    const counts = this.#sample === undefined ? '[count()]' : `countResample(0, ${replicates}, 1)(r)`
    if (values.length === 0 || (values.length === 1 && this.#sample === undefined))
      return values.map(({ index, sql, isList, label }) => ({
        counts,
        source: `SELECT ${index} AS f, toString(${isList ? `arrayJoin(${sql})` : sql}) AS v, ${label} AS l
          FROM traces WHERE ${this.#where}`,
      }))
    const pairs = values.map(
      ({ index, sql, isList, label }) =>
        `arrayMap(x -> (${index}, ifNull(toString(x), ''), ${label}), ${isList ? sql : `[${sql}]`})`,
    )
    return [
      {
        counts,
        source: `SELECT pair.1 AS f, pair.2 AS v, pair.3 AS l, r FROM
          (SELECT arrayJoin(arrayConcat(${pairs.join(', ')})) AS pair, ${this.#replicate('start_us')} AS r
           FROM traces WHERE ${this.#where})`,
      },
    ]
  }

  /** Rows of other tables count each trace once. */
  #countElsewhere(index: number, [table, column]: readonly ['scores' | 'logs', string]): FacetPart {
    const selected = `${index} AS f, toString(${column}) AS v, '' AS l, trace_id`
    const counts =
      this.#sample === undefined
        ? '[uniqExact(trace_id)]'
        : `uniqExactResample(0, ${replicates}, 1)(trace_id, r)`
    const inWorkspace = 'workspace_id = {workspace:String}'
    if (table === 'logs') {
      const conditions = [
        inWorkspace,
        ...(this.#sample === undefined ? [] : [isInSample(this.#sample, 'trace_start_us')]),
        `trace_id IN (SELECT trace_id FROM traces WHERE ${this.#where})`,
        currentRows(table),
      ]
      const source = `SELECT ${selected}, ${this.#replicate('trace_start_us')} AS r FROM logs WHERE ${conditions.join(' AND ')}`
      return { counts, source }
    }
    const traces = `SELECT trace_id, ${this.#replicate('start_us')} AS r FROM traces WHERE ${this.#where}`
    return {
      counts,
      source:
        this.#sample === undefined
          ? `SELECT ${selected} FROM scores WHERE ${inWorkspace} AND trace_id IN (SELECT trace_id FROM (${traces}))`
          : `SELECT ${selected}, r FROM scores INNER JOIN (${traces}) AS found USING (trace_id) WHERE ${inWorkspace}`,
    }
  }

  #replicate(start: StartColumn): string {
    return this.#sample === undefined ? '0' : replicateOf(this.#sample, start)
  }
}

interface TraceValue {
  readonly index: number
  readonly sql: string
  readonly isList: boolean
  readonly label: string
}

interface FacetPart {
  /** Rows with a field index, a value, its label and its replicate. */
  readonly source: string
  readonly counts: string
}

/** How many traces each replicate has. */
async function countSample(clients: Clients, workspaceId: string, sample: TraceSample): Promise<number[]> {
  const limitStart = (start: StartColumn) => isInSample(sample, start)
  const { sql, parameters } = conditionsWithWords(workspaceId, sample.base, { limitStart })
  const [row] = await clients.search<{ counts: string[] }>(
    `SELECT arrayMap(x -> toString(x), countResample(0, ${replicates}, 1)(${replicateOf(sample, 'start_us')})) AS counts
     FROM traces WHERE ${sql.join(' AND ')}`,
    parameters,
  )
  return (row?.counts ?? []).map(Number)
}
