import { randomUUIDv7 } from 'node:crypto'

/** A new id. Ids begin with the time, so new rows land together in an index; their order is not relied on. */
export function newId(): string {
  return randomUUIDv7()
}
