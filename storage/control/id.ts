import { randomUUIDv7 } from 'node:crypto'

/** A new id. Ids start with the time, so that new rows are adjacent in an index; nothing relies on their order. */
export function newId(): string {
  return randomUUIDv7()
}
