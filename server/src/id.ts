import { hash, randomFillSync } from 'node:crypto'
import { v7 } from 'uuid'

const bytesPerId = 16
/** Random bytes are cheap by the kilobyte and expensive by the dozen. */
const pool = Buffer.alloc(bytesPerId * 256)
let used = pool.length

/** A new UUIDv7: its first 48 bits are the time, so ids sort by creation time. */
export function newId(now: Date): string {
  if (used === pool.length) {
    randomFillSync(pool)
    used = 0
  }
  used += bytesPerId
  return v7({ msecs: now.getTime(), random: pool.subarray(used - bytesPerId, used) })
}

/**
 * A deterministic id: the same trace and key always give the same id. It starts with the trace id's timestamp and has the
 * form of a UUIDv7.
 */
export function derivedId(traceId: string, key: readonly unknown[]): string {
  const hex = hash('sha256', JSON.stringify(key))
  return `${traceId.slice(0, 13)}-7${hex.slice(0, 3)}-8${hex.slice(3, 6)}-${hex.slice(6, 18)}`
}
