/** Requests a minute of each caller: a bucket that fills evenly and holds one minute's worth. */
import { LRUCache } from 'lru-cache'
import { RateLimited } from '../../requests/retry-after.ts'

interface Bucket {
  tokens: number
  filledAtMs: number
}

/**
 * A check that counts one request of a caller; throws `RateLimited`. 0 a minute sets no limit. The callers that came last
 * are known, up to `callersMax`.
 */
export function makeRateLimit(
  perMinute: number,
  callersMax = 100_000,
): (callerId: string, nowMs: number) => void {
  if (perMinute === 0) return () => {}
  // A limit by size: with `max`, the cache would reserve 28 bytes for each of them at once.
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
