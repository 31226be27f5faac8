import type { PriceOverride } from '@plumbline/contract'
import type { PriceOverride as StoredPrice } from '@plumbline/storage/control'

/** A price override as the interface shows it: what it leaves open is absent. */
export function toPriceOverride({ startsAt, createdAt, ...stored }: StoredPrice): PriceOverride {
  const fields = Object.fromEntries(Object.entries(stored).filter(([, value]) => value !== undefined))
  return {
    // Safe: only fields that the schema has as optional were left out.
    ...(fields as typeof stored),
    ...(startsAt === undefined ? {} : { startsAt: startsAt.toISOString() }),
    createdAt: createdAt.toISOString(),
  }
}
