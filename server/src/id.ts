import { randomFillSync } from 'node:crypto'
import { v7 } from 'uuid'

const bytesPerId = 16
/** Random bytes are cheap by the kilobyte and dear by the dozen. */
const pool = Buffer.alloc(bytesPerId * 256)
let used = pool.length

/** A new UUIDv7: its first 48 bits are the time, so ids sort by when they were made. */
export function newId(now: Date): string {
  if (used === pool.length) {
    randomFillSync(pool)
    used = 0
  }
  used += bytesPerId
  return v7({ msecs: now.getTime(), random: pool.subarray(used - bytesPerId, used) })
}
