import type { Clients } from './clients.ts'
import { conditionsWithWords } from './list.ts'
import type { TraceFilters } from './store.ts'

/** How some of the traces are chosen that the filters leave. */
export type Draw = {
  readonly limit: number
  /** At random, each as likely as any other, and the same ones for the same text; the latest when absent. */
  readonly seed?: string | undefined
  /** Only those of this share, which a trace is in or not by its id and the seed alone. */
  readonly share?: number | undefined
}

/** Ids of some of the traces that the filters leave; reads the ids of all of them. */
export async function drawTraces(
  clients: Clients,
  workspaceId: string,
  filters: TraceFilters,
  { limit, seed, share }: Draw,
): Promise<string[]> {
  const { sql, parameters } = conditionsWithWords(workspaceId, filters)
  // 53 bits, as a number from 0 to 1.
  const place = 'bitShiftRight(sipHash64({seed:String}, toString(trace_id)), 11) / 9007199254740992'
  const rows = await clients.search<{ id: string }>(
    `SELECT trace_id AS id FROM traces
     WHERE ${[...sql, ...(share === undefined ? [] : [`${place} < {share:Float64}`])].join(' AND ')}
     GROUP BY trace_id ORDER BY ${seed === undefined ? 'max(start_us) DESC' : place}, trace_id LIMIT {limit:UInt32}`,
    {
      ...parameters,
      limit,
      ...(seed === undefined ? {} : { seed }),
      ...(share === undefined ? {} : { share }),
    },
  )
  return rows.map(({ id }) => id)
}
