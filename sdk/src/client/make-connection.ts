/** Validates the connection options, for clients that record and for those that only call operations. */
import type { Connection, Fetch } from './exchange.ts'

export interface ConnectionOptions {
  /** URL of the service. In `createClient`, `PLUMBLINE_URL` by default, else `http://localhost:4747`. */
  readonly baseUrl: string
  /**
   * An API key: `pl_…`. In `createClient`, `PLUMBLINE_API_KEY` by default. Without a key, nothing is recorded, except in
   * pages served by the service itself, which use the session cookie.
   */
  readonly apiKey?: string
  /** Request timeout in milliseconds; 30,000 by default. */
  readonly timeoutMs?: number
  /** Replaces the platform's fetch. */
  readonly fetch?: Fetch
}

/** Characters that a header may contain, which excludes the `pl_…` of examples. */
const visibleAscii = /^[!-~]+$/

/** Throws a `TypeError` if the address or the key is invalid. */
export function makeConnection({
  baseUrl,
  apiKey,
  timeoutMs = 30_000,
  fetch,
}: ConnectionOptions): Connection {
  if (!URL.canParse(baseUrl)) {
    throw new TypeError(`baseUrl must be an address such as http://localhost:4747, not "${baseUrl}".`)
  }
  if (apiKey !== undefined && (typeof apiKey !== 'string' || !visibleAscii.test(apiKey.trim()))) {
    throw new TypeError('apiKey must be an API key: pl_ and letters and digits.')
  }
  return {
    baseUrl: baseUrl.replace(/\/+$/, ''),
    // Secret files often end with a line break.
    apiKey: apiKey?.trim(),
    timeoutMs,
    // Looked up on each call, so that later replacements (tracing, tests) take effect.
    fetch: fetch ?? ((...request) => globalThis.fetch(...request)),
  }
}
