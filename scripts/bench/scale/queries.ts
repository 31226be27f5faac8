/** The queries of users and programs over many traces: each list, filter, sort, search, open, count and dashboard once. */

/** A query that is compared between the two sizes: everything that reads a page or counts. */
export interface ScaleQuery {
  readonly name: string
  readonly path: string
}

/** The values that the queries use, which exist at both sizes. */
export interface QueryFacts {
  readonly traceId: string
  readonly cursor: string
  /** A value of `metadata.tenant` that one in several hundred traces has. */
  readonly tenant: string
  /** A word that occurs in a single trace. */
  readonly rareWord: string
  /** The id of a user whose traces fill most of a page at either size. */
  readonly rareUser: string
  /** The id of a session of the user with the most traces. */
  readonly session: string
  readonly monthAgo: string
}

const lists: readonly (readonly [name: string, query: string])[] = [
  ['newest 50', ''],
  ['of a user with much traffic', 'userId=user-0'],
  ['by name', 'name=summarize'],
  ['by model', 'model=mistral-large'],
  ['by log type', 'type=retrieval'],
  ['with errors', 'hasError=true'],
  ['by cost', 'minCost=0.01'],
  ['by duration', 'minDurationMs=18000'],
  ['by environment', 'environment=test'],
  ['by tag', 'tag=beta'],
  ['sorted by cost', 'sort=cost'],
  ['sorted by duration', 'sort=duration'],
  ['sorted by tokens', 'sort=tokens'],
  ['with a frequent word', 'q=store'],
  ['with two words', 'q=retention+tenant'],
  ['with a phrase', 'q=%22the+trace+store%22'],
  ['with a phrase that is nowhere', 'q=%22store+the+trace+trace%22'],
]

/** A substring search reads every text, so it is queried with a range. */
export function scaleQueries(facts: QueryFacts): ScaleQuery[] {
  const { traceId, cursor, tenant, rareWord, rareUser, session, monthAgo } = facts
  const dashboard = (measures: string, more: string): string =>
    `/metrics/query?measures=${measures}&from=${monthAgo}&${more}`
  return [
    ...lists.map(([name, query]) => ({ name: `List, ${name}`, path: `/monitor/traces?${query}` })),
    { name: 'List, a page in the middle', path: `/monitor/traces?cursor=${encodeURIComponent(cursor)}` },
    { name: 'List, of a user with 40 traces', path: `/monitor/traces?userId=${rareUser}` },
    { name: 'List, by metadata', path: `/monitor/traces?metadata.tenant=${tenant}` },
    { name: 'List, of a session', path: `/monitor/traces?sessionId=${session}` },
    { name: 'List, with a rare word', path: `/monitor/traces?q=${rareWord}` },
    { name: 'List, with a substring, a month', path: `/monitor/traces?q=*etentio*&from=${monthAgo}` },
    { name: 'Open a trace', path: `/monitor/traces/${traceId}` },
    { name: 'Outline of a trace', path: `/monitor/traces/${traceId}/outline` },
    { name: 'Percentiles of a trace', path: `/monitor/traces/${traceId}/percentiles` },
    { name: 'Facets', path: '/monitor/traces/facets' },
    { name: 'Facets, a month', path: `/monitor/traces/facets?from=${monthAgo}` },
    { name: 'Facets with a phrase', path: '/monitor/traces/facets?q=%22the+trace+store%22' },
    { name: 'Histogram', path: '/monitor/traces/histogram' },
    { name: 'Histogram, with errors', path: '/monitor/traces/histogram?hasError=true' },
    // The web app requests a range; a program may request all time.
    ...['Conversations', 'Users'].flatMap((name) => {
      const path = `/monitor/${name.toLowerCase()}`
      return [
        { name, path },
        { name: `${name}, a month`, path: `${path}?from=${monthAgo}` },
        { name: `${name}, sorted by cost`, path: `${path}?sort=cost` },
        { name: `${name}, sorted by cost, a month`, path: `${path}?sort=cost&from=${monthAgo}` },
      ]
    }),
    {
      name: 'Dashboard: cost by day and model',
      path: dashboard('cost,generations', 'granularity=day&dimensions=model'),
    },
    {
      name: 'Dashboard: traces by day',
      path: dashboard('traces,errorRate', 'granularity=day'),
    },
    { name: 'Dashboard: p95 of durations by day', path: dashboard('p95DurationMs', 'granularity=day') },
    { name: 'Dashboard: cost by user', path: dashboard('cost', 'dimensions=user&limit=20') },
  ]
}
