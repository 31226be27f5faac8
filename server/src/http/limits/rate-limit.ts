/** Rate limit per caller: a bucket that refills evenly and holds one minute's worth of requests. */
import { LRUCache } from 'lru-cache'
import { RateLimited } from '../../requests/retry-after.ts'

interface Bucket {
  tokens: number
  filledAtMs: number
}

/**
 * Makes a check that counts one request of a caller, and throws `RateLimited` over the limit. 0 per minute means no limit.
 * Only the most recent callers are tracked, up to `callersMax`.
 */
export function makeRateLimit(
  perMinute: number,
  callersMax = 100_000,
): (callerId: string, nowMs: number) => void {
  if (perMinute === 0) return () => {}
  // A limit by size: with `max`, the cache would preallocate 28 bytes for each entry.
  const buckets = new LRUCache<string, Bucket>({ maxSize: callersMax, sizeCalculation: () => 1 })
  const perMs = perMinute / 60_000
  return (callerId, nowMs) => {
    let bucket = buckets.get(callerId)
    if (bucket === undefined) {
      bucket = { tokens: perMinute, filledAtMs: nowMs }
      buckets.set(callerId, bucket)
    } else if (nowMs > bucket.filledAtMs) {
      bucket.tokens = Math.min(perMinute, bucket.tokens + (nowMs - bucket.filledAtMs) * perMs)
      bucket.filledAtMs = nowMs
    }
    if (bucket.tokens < 1)
      throw new RateLimited(perMinute, Math.max(1, Math.ceil((1 - bucket.tokens) / perMs / 1000)))
    bucket.tokens -= 1
  }
}
