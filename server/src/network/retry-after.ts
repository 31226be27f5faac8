/** Reads `Retry-After` from responses of other services. */

/** A header must not stop work for years, so longer waits are cut to this. */
const retryAfterMsMax = 3_600_000

/** The header holds seconds or a date; anything else is ignored. */
export function retryAfterOf(header: string | null | undefined, now: Date): { retryAfterMs?: number } {
  if (header == null) return {}
  const ms = /^\d+(\.\d+)?$/.test(header) ? Number(header) * 1000 : Date.parse(header) - now.getTime()
  return Number.isNaN(ms) ? {} : { retryAfterMs: Math.min(Math.max(0, ms), retryAfterMsMax) }
}
