/** Price rows, including those of all workspaces, which pricing of recorded traces needs. */
import type { Sql } from '../store/sql.ts'
import { readable, readNumber, readTime } from '../unreadable-rows.ts'
import type { PriceOverride } from './prices.ts'

export type PriceRow = {
  id: string
  provider: string | null
  model: string
  starts_at: number | null
  input_per_million: number
  output_per_million: number
  cache_read_per_million: number | null
  cache_write_per_million: number | null
  reasoning_per_million: number | null
  created_at: number
}

/** Every price by workspace, newest first: one statement, however many workspaces there are. Few have prices. */
export async function pricesByWorkspace(sql: Sql): Promise<Map<string, PriceOverride[]>> {
  const rows = await sql<PriceRow & { workspace_id: string }>`
    SELECT workspace_id, id, provider, model, starts_at, input_per_million, output_per_million, cache_read_per_million,
      cache_write_per_million, reasoning_per_million, created_at
    FROM price_overrides ORDER BY created_at DESC, id DESC`
  const prices = new Map<string, PriceOverride[]>()
  for (const [workspaceId, ofWorkspace] of Map.groupBy(rows, (row) => row.workspace_id))
    prices.set(workspaceId, readable('price_overrides', ofWorkspace, toPriceOverride))
  return prices
}

const orAbsent = (value: number | null, column: string): number | undefined =>
  value === null ? undefined : readNumber(value, column)

export function toPriceOverride(row: PriceRow): PriceOverride {
  const { id, model } = row
  return {
    id,
    provider: row.provider ?? undefined,
    model,
    startsAt: row.starts_at === null ? undefined : readTime(row.starts_at, 'starts_at'),
    inputPerMillion: readNumber(row.input_per_million, 'input_per_million'),
    outputPerMillion: readNumber(row.output_per_million, 'output_per_million'),
    cacheReadPerMillion: orAbsent(row.cache_read_per_million, 'cache_read_per_million'),
    cacheWritePerMillion: orAbsent(row.cache_write_per_million, 'cache_write_per_million'),
    reasoningPerMillion: orAbsent(row.reasoning_per_million, 'reasoning_per_million'),
    createdAt: readTime(row.created_at, 'created_at'),
  }
}
