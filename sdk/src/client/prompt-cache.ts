/**
 * Serves prompts from memory. A prompt is fetched once; when it is older than its time to live, it is still served while a
 * background request checks whether it has changed. So the application keeps working while the service is away, and new
 * versions arrive within the time to live. The candidate of a rollout is cached as a prompt of its own.
 */
import type { OutputOf, operations, Prompt, ServedRollout } from '@plumbline/contract'
import { paths } from '@plumbline/contract/paths'
import { isInShare } from '@plumbline/contract/rollout-draw'
import { type Connection, exchange, toRequestFailed } from './exchange.ts'
import { makeRequest } from './operations.ts'
import { quietTimer } from './platform.ts'

export interface PromptSelector {
  /** A version; it takes precedence over `tag`. */
  readonly version?: string
  /** A tag; `production` when neither is given. */
  readonly tag?: string
  /**
   * Who the prompt is for, such as a user id: while a rollout of the tag runs, some keys get its candidate, and each key
   * always gets the same version. Without a key, the version with the tag is served.
   */
  readonly targetingKey?: string
}

export interface ServedPrompt {
  readonly prompt: Prompt
  /** Set if another version is served than the requested one. */
  readonly warning?: string
  /** Set while a rollout of the tag runs. */
  readonly rollout?: ServedRollout
}

export interface PromptCacheOptions {
  /** How long a prompt counts as fresh, in milliseconds; 60,000 by default. With 0, each call checks for changes in the background. */
  readonly promptTtlMs: number
  /** Called when a prompt could not be refreshed; the cached one is still served. */
  readonly onError: (error: Error) => void
}

interface CacheEntry {
  readonly servedPrompt: ServedPrompt
  readonly etag: string | null
  staleAtMs: number
}

/** Maximum number of cached prompts; the least recently used is evicted first. */
const promptsMax = 1000
/** Minimum delay after a failed refresh. */
const retryMs = 5_000
/** How long a call waits for the service if the candidate may have been rolled back, before it serves the cached one. */
const refreshWaitMs = 1_000

export class PromptCache {
  readonly #connection: Connection
  readonly #options: PromptCacheOptions
  readonly #entries = new Map<string, CacheEntry>()
  readonly #fetches = new Map<string, Promise<ServedPrompt>>()

  constructor(connection: Connection, options: PromptCacheOptions) {
    this.#connection = connection
    this.#options = options
  }

  /**
   * Rejects, like `prompts.get`, only if the prompt was never fetched before. The client itself decides who gets the
   * candidate of a rollout, with the same function as the service, so that one request serves all users.
   */
  async get(slug: string, { targetingKey, ...selector }: PromptSelector): Promise<ServedPrompt> {
    const served = await this.#serve(slug, selector, Boolean(targetingKey))
    const { rollout } = served
    if (!targetingKey || rollout === undefined || !isInShare(rollout, targetingKey)) return served
    try {
      const { prompt } = await this.#serve(slug, { version: rollout.candidateVersion })
      // As the service would serve it: with the requested tag, and with the version that traces should name.
      return { ...served, prompt: { ...prompt, tag: served.prompt.tag } }
    } catch (error) {
      // The caller must get a prompt, and the version with the tag is available.
      this.#options.onError(error as Error)
      return served
    }
  }

  async #serve(slug: string, selector: PromptSelector, isTargeted = false): Promise<ServedPrompt> {
    const { address } = makeRequest(paths.prompts.get, { slug, ...selector })
    const entry = this.#entries.get(address)
    if (entry === undefined) return this.#fetchOnce(address, undefined)
    this.#entries.delete(address)
    this.#entries.set(address, entry)
    if (performance.now() < entry.staleAtMs) return entry.servedPrompt
    const refreshing = this.#fetchOnce(address, entry).catch((error: Error) => {
      entry.staleAtMs = performance.now() + Math.max(retryMs, this.#options.promptTtlMs)
      this.#options.onError(error)
      return entry.servedPrompt
    })
    if (!isTargeted || entry.servedPrompt.rollout === undefined) return entry.servedPrompt
    // The rollout may have ended since the last call. Concurrent calls do not wait.
    entry.staleAtMs = performance.now() + retryMs
    return Promise.race([refreshing, resolveAfter(refreshWaitMs, entry.servedPrompt)])
  }

  #fetchOnce(address: string, entry: CacheEntry | undefined): Promise<ServedPrompt> {
    let fetching = this.#fetches.get(address)
    if (fetching === undefined) {
      fetching = this.#fetch(address, entry).finally(() => this.#fetches.delete(address))
      this.#fetches.set(address, fetching)
    }
    return fetching
  }

  async #fetch(address: string, entry: CacheEntry | undefined): Promise<ServedPrompt> {
    const headers: Record<string, string> = entry?.etag == null ? {} : { 'if-none-match': entry.etag }
    const response = await exchange(this.#connection, { method: 'GET', address, headers })
    if (response.status >= 400) throw await toRequestFailed(response, Date.now())
    const staleAtMs = performance.now() + this.#options.promptTtlMs
    if (response.status === 304 && entry !== undefined) {
      entry.staleAtMs = staleAtMs
      return entry.servedPrompt
    }
    const servedPrompt = JSON.parse(await response.blob.text()) as OutputOf<typeof operations.prompts.get>
    this.#entries.set(address, { servedPrompt, etag: response.headers.get('etag'), staleAtMs })
    const [leastUsed] = this.#entries.keys()
    if (this.#entries.size > promptsMax && leastUsed !== undefined) this.#entries.delete(leastUsed)
    return servedPrompt
  }
}

const resolveAfter = <Value>(delayMs: number, value: Value): Promise<Value> =>
  new Promise((resolve) => {
    quietTimer(() => resolve(value), delayMs)
  })
