import { newId } from '../id.ts'
import type { WorkspaceDb } from '../store/workspace.ts'
import { readable } from '../unreadable-rows.ts'
import { type PriceRow, toPriceOverride } from './price-rows.ts'

/** A workspace's own price for a model, which overrides the price list, in US dollars per million tokens. */
export type PriceOverride = {
  id: string
  /** Absent for any provider. */
  provider: string | undefined
  /** A name, or a pattern in which `*` stands for anything. */
  model: string
  /** Absent if it has no start. */
  startsAt: Date | undefined
  inputPerMillion: number
  outputPerMillion: number
  cacheReadPerMillion: number | undefined
  cacheWritePerMillion: number | undefined
  reasoningPerMillion: number | undefined
  createdAt: Date
}

export type NewPriceOverride = {
  readonly provider?: string
  readonly model: string
  readonly startsAt?: Date
  readonly inputPerMillion: number
  readonly outputPerMillion: number
  readonly cacheReadPerMillion?: number
  readonly cacheWritePerMillion?: number
  readonly reasoningPerMillion?: number
}

/** Adds a price; if several match a generation, the pricing rule chooses. */
export function create(db: WorkspaceDb, input: NewPriceOverride, now: Date): Promise<PriceOverride> {
  return db.mutate(async ({ sql, workspaceId }) => {
    const rows = await sql<PriceRow>`
      INSERT INTO price_overrides (id, workspace_id, provider, model, starts_at, input_per_million, output_per_million,
        cache_read_per_million, cache_write_per_million, reasoning_per_million, created_at)
      VALUES (${newId()}, ${workspaceId}, ${input.provider ?? null}, ${input.model},
        ${input.startsAt?.getTime() ?? null}, ${input.inputPerMillion}, ${input.outputPerMillion},
        ${input.cacheReadPerMillion ?? null}, ${input.cacheWritePerMillion ?? null},
        ${input.reasoningPerMillion ?? null}, ${now.getTime()})
      RETURNING id, provider, model, starts_at, input_per_million, output_per_million, cache_read_per_million,
        cache_write_per_million, reasoning_per_million, created_at`
    return readable('price_overrides', rows, toPriceOverride)[0]!
  })
}

/** Every price, newest first; served by price_overrides_by_age. */
export async function list({ sql, workspaceId }: WorkspaceDb): Promise<PriceOverride[]> {
  const rows = await sql<PriceRow>`
    SELECT id, provider, model, starts_at, input_per_million, output_per_million, cache_read_per_million,
      cache_write_per_million, reasoning_per_million, created_at
    FROM price_overrides WHERE workspace_id = ${workspaceId} ORDER BY created_at DESC, id DESC`
  return readable('price_overrides', rows, toPriceOverride)
}

/** Removes a price, by primary key; false if the workspace has none with this id. */
function remove(db: WorkspaceDb, id: string): Promise<boolean> {
  return db.mutate(async ({ sql, workspaceId }) => {
    const rows = await sql<{ id: string }>`
      DELETE FROM price_overrides WHERE workspace_id = ${workspaceId} AND id = ${id} RETURNING id`
    return rows.length === 1
  })
}

export { remove as delete }
