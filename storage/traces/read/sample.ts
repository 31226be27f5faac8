import type { Clients } from '../engine/clients.ts'
import type { SampleOptions, TraceFilters } from '../types.ts'
import { conditionsWithWords } from './list.ts'

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
