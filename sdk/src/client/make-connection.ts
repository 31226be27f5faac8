/** How the service is called, of what an application says. */
import type { Connection, Fetch } from './exchange.ts'

/** How long a request may take when the application does not say. */
export const requestTimeoutMs = 30_000

export interface ConnectionOptions {
  readonly baseUrl: string
  readonly apiKey?: string | undefined
  /** `requestTimeoutMs` by default. */
  readonly timeoutMs?: number | undefined
  /** Replaces the platform's fetch. */
  readonly fetch?: Fetch | undefined
}

/** What a header may have; the `pl_…` of an example does not. */
const visibleAscii = /^[!-~]+$/

/** Throws a `TypeError` if the address or the key is invalid. */
export function makeConnection({
  baseUrl,
  apiKey,
  timeoutMs = requestTimeoutMs,
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
