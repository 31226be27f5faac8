/** How long the response to a request with an `Idempotency-Key` is kept. */
export const responseRetentionMs = 24 * 3_600_000
