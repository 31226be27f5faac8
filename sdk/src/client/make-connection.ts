/** A connection of a client, checked: for those that record and those that only ask. */
import type { Connection, Fetch } from './exchange.ts'

export interface ConnectionOptions {
  /** Address of the service. `createClient` takes `PLUMBLINE_URL`, else `http://localhost:4747`, by default. */
  readonly baseUrl: string
  /**
   * An API key: `pl_…`. `createClient` takes `PLUMBLINE_API_KEY` by default, and records nothing without one, except in
   * pages that the service itself serves, which use the session cookie.
   */
  readonly apiKey?: string
  /** Request timeout in milliseconds; 30,000 by default. */
  readonly timeoutMs?: number
  /** Replaces the platform's fetch. */
  readonly fetch?: Fetch
}

/** What a header may have; the `pl_…` of an example does not. */
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
    // Files with secrets often end with a line break.
    apiKey: apiKey?.trim(),
    timeoutMs,
    // Looked up on each call, so that later replacements (tracing, tests) take effect.
    fetch: fetch ?? ((...request) => globalThis.fetch(...request)),
  }
}
