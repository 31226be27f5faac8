/**
 * Prompts from memory. A prompt is fetched once; when it is older than its time to live it is served as it is while
 * a request in the background finds out whether it has changed. So an application runs on while the service is away,
 * and a new version arrives within the time to live. A candidate that is being rolled out is a prompt of its own here.
 */
import type { OutputOf, operations, Prompt, ServedRollout } from '@plumbline/contract'
import { paths } from '@plumbline/contract/paths'
import { isInShare } from '@plumbline/contract/rollout-draw'
import { type Connection, exchange, toRequestFailed } from './exchange.ts'
import { makeRequest } from './operations.ts'
import { quietTimer } from './platform.ts'

export interface PromptSelector {
  /** A version; it wins over `tag`. */
  readonly version?: string
  /** A tag; `production` when neither is given. */
  readonly tag?: string
  /**
   * Whom it is for, such as the id of a user: while a rollout of the tag runs, some get its candidate, each always the
   * same version. Without it that is the version with the tag.
   */
  readonly targetingKey?: string
}

export interface ServedPrompt {
  readonly prompt: Prompt
  /** Set where another version is served than the one asked for. */
  readonly warning?: string
  /** Set while a rollout of the tag runs. */
  readonly rollout?: ServedRollout
}

export interface PromptCacheOptions {
  /** How long a prompt counts as fresh, in milliseconds; 60,000 by default. 0 asks each time, and still serves from memory. */
  readonly promptTtlMs: number
  /** Told when a prompt could not be refreshed; the one in memory is served on. */
  readonly onError: (error: Error) => void
}

interface CacheEntry {
  readonly servedPrompt: ServedPrompt
  readonly etag: string | null
  staleAtMs: number
}

/** The least used are forgotten first. */
const promptsMax = 1000
/** After a failed refresh the next one waits for at least this long. */
const retryMs = 5_000
/** How long the call for a candidate that may have been rolled back waits for the service, before it serves the old one. */
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
   * Rejects, as `prompts.get` does, only if this prompt was never fetched before. Who is served the candidate of a rollout
   * is decided here, by the same function as in the service, which so is asked once for all users.
   */
  async get(slug: string, { targetingKey, ...selector }: PromptSelector): Promise<ServedPrompt> {
    const served = await this.#serve(slug, selector, Boolean(targetingKey))
    const { rollout } = served
    if (!targetingKey || rollout === undefined || !isInShare(rollout, targetingKey)) return served
    try {
      const { prompt } = await this.#serve(slug, { version: rollout.candidateVersion })
      // As the service serves it: under the tag that was asked for, and with the version that traces are to name.
      return { ...served, prompt: { ...prompt, tag: served.prompt.tag } }
    } catch (error) {
      // The version with the tag is there, and whoever asks must get a prompt.
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
    // The rollout may have ended while nobody asked. Others who come meanwhile are not held up.
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
