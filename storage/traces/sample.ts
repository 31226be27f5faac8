import type { Clients } from './clients.ts'
import { conditionsWithWords } from './list.ts'
import type { TraceFilters } from './store.ts'

/** How to sample the traces that match the filters. */
export type SampleOptions = {
  readonly limit: number
  /** Samples uniformly at random, and the same traces for the same seed; the latest traces if absent. */
  readonly seed?: string | undefined
  /** Only traces of this fraction; a trace belongs to it or not by its id and the seed alone. */
  readonly fraction?: number | undefined
}

/** Ids of a sample of the matching traces; reads the ids of all of them. */
export async function sampleTraces(
  clients: Clients,
  workspaceId: string,
  filters: TraceFilters,
  { limit, seed, fraction }: SampleOptions,
): Promise<string[]> {
  const { sql, parameters } = conditionsWithWords(workspaceId, filters)
  // 53 bits, as a number from 0 to 1.
  const place = 'bitShiftRight(sipHash64({seed:String}, toString(trace_id)), 11) / 9007199254740992'
  const rows = await clients.search<{ id: string }>(
    `SELECT trace_id AS id FROM traces
     WHERE ${[...sql, ...(fraction === undefined ? [] : [`${place} < {fraction:Float64}`])].join(' AND ')}
     GROUP BY trace_id ORDER BY ${seed === undefined ? 'max(start_us) DESC' : place}, trace_id LIMIT {limit:UInt32}`,
    {
      ...parameters,
      limit,
      ...(seed === undefined ? {} : { seed }),
      ...(fraction === undefined ? {} : { fraction }),
    },
  )
  return rows.map(({ id }) => id)
}
