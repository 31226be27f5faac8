import type { PriceOverride } from '@plumbline/contract'
import type { PriceOverride as StoredPrice } from '@plumbline/storage/control'

/** A price override as the interface shows it, without unset fields. */
export function toPriceOverride({ startsAt, createdAt, ...price }: StoredPrice): PriceOverride {
  const fields = Object.fromEntries(Object.entries(price).filter(([, value]) => value !== undefined))
  return {
    // Safe: only optional fields of the schema are left out.
    ...(fields as typeof price),
    ...(startsAt === undefined ? {} : { startsAt: startsAt.toISOString() }),
    createdAt: createdAt.toISOString(),
  }
}
