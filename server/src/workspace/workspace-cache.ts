/**
 * Caches what recording and serving need from the control plane: a trace that names ten prompts needs no query. After any
 * change in a workspace, everything is read again, on this node at once and on others within seconds. While the control
 * plane is unavailable, the last cached data is used.
 */
import type { Operation } from '@plumbline/contract'
import { ControlStoreAway, type RunningRollout } from '@plumbline/storage/control'
import { LRUCache } from 'lru-cache'
import type { EncodedJson } from '../json/encoded-json.ts'

/** A prompt as serving needs it, with all its versions, newest first. */
export interface CachedPrompt {
  readonly slug: string
  readonly name: string
  readonly featureSlug: string | null
  readonly versions: readonly CachedVersion[]
  /** The running rollouts, at most one per tag. */
  readonly rollouts: readonly RunningRollout[]
}

export interface CachedVersion {
  readonly version: string
  readonly text: string
  readonly systemText: string
  /** JSON text of the contract's `Model`. */
  readonly model: string
  /** JSON text of a list of messages, which replace the texts. */
  readonly messages?: string | undefined
  /** JSON text of an object. */
  readonly config?: string | undefined
  readonly message?: string | undefined
  readonly createdAt?: Date | undefined
  readonly tags: readonly string[]
  /** Sentences on shared parts that could not be inserted. */
  readonly partProblems?: readonly string[] | undefined
}

/** An evaluator as recording needs it. */
export interface CachedEvaluator {
  readonly kind: string
  readonly version: number
  readonly sampleRate: number
  /** The model that the evaluator calls; undefined if it needs none. */
  readonly target: { readonly connectionId: string; readonly model: string } | undefined
}

/** Lookups in the control plane, each with one query. */
export interface WorkspaceCacheSource {
  hasFeature(slug: string): Promise<boolean>
  hasExperiment(id: string): Promise<boolean>
  prompt(slug: string): Promise<CachedPrompt | undefined>
  evaluator(slug: string): Promise<CachedEvaluator | undefined>
}

/** A complete response for a URL, as it was sent to an authorized API key. */
export interface ReadyResponse {
  readonly operation: Operation
  readonly response: EncodedJson
  /** Alternating names and values. */
  readonly headers: readonly string[]
}

export interface WorkspaceCache extends WorkspaceCacheSource {
  /** Responses that are ready to send, by a key that the caller chooses. */
  readonly responses: LRUCache<string, EncodedJson>
  /** Responses by path and query, for requests that skip routing and validation. */
  readonly byAddress: LRUCache<string, ReadyResponse>
  /** Counts changes, and uses of possibly stale values; a response made before an increment must not be cached after it. */
  readonly generation: number
  /** Invalidates everything. */
  clear(): void
}

const responsesBytesMax = 32 * 1024 * 1024
const promptsBytesMax = 64 * 1024 * 1024
/** A limit by size: with `max`, a cache preallocates all its entries, 1.3 MB in each workspace. */
const entryLimit = { maxSize: 20_000, sizeCalculation: () => 1 } as const
/** Their payloads are shared with `responses` as long as they are in both. */
const addressesBytesMax = 16 * 1024 * 1024

export function makeWorkspaceCache(source: WorkspaceCacheSource): WorkspaceCache {
  let changes = 0
  let staleUses = 0
  const features = new LRUCache<string, Entry<true>>(entryLimit)
  const experiments = new LRUCache<string, Entry<true>>(entryLimit)
  const evaluators = new LRUCache<string, Entry<CachedEvaluator>>(entryLimit)
  const prompts = new LRUCache<string, Entry<CachedPrompt>>({
    maxSize: promptsBytesMax,
    sizeCalculation: ({ value }) =>
      200 + (value?.versions.reduce((sum, version) => sum + estimateBytes(version), 0) ?? 0),
  })
  const responses = new LRUCache<string, EncodedJson>({
    maxSize: responsesBytesMax,
    sizeCalculation: ({ payload }) => 200 + 2 * payload.length,
  })

  const byAddress = new LRUCache<string, ReadyResponse>({
    maxSize: addressesBytesMax,
    sizeCalculation: ({ response }, address) => 1000 + 2 * (address.length + response.payload.length),
  })

  /**
   * The cached value, or the stored one. A stored value is cached under the change count at the start of the query, so that
   * it is read again if something changed in the meantime, but remains usable if the control plane is unavailable by then.
   */
  const getOrLoad = async <Value>(
    cache: LRUCache<string, Entry<Value>>,
    key: string,
    load: () => Promise<Value | undefined>,
  ): Promise<Value | undefined> => {
    const cached = cache.get(key)
    if (cached?.changes === changes) return cached.value
    const startChanges = changes
    try {
      const value = await load()
      const newest = cache.peek(key)
      if (newest === undefined || newest.changes <= startChanges)
        cache.set(key, { value, changes: startChanges })
      return value
    } catch (error) {
      // What did not exist may have been created since, so a cached absence is not used.
      if (!(error instanceof ControlStoreAway) || cached?.value === undefined) throw error
      // A response made from possibly stale data must not be cached beyond the outage.
      staleUses += 1
      return cached.value
    }
  }

  return {
    responses,
    byAddress,
    get generation() {
      return changes + staleUses
    },
    hasFeature: async (slug) =>
      (await getOrLoad(features, slug, async () => (await source.hasFeature(slug)) || undefined)) === true,
    hasExperiment: async (id) =>
      (await getOrLoad(experiments, id, async () => (await source.hasExperiment(id)) || undefined)) === true,
    prompt: (slug) => getOrLoad(prompts, slug, () => source.prompt(slug)),
    evaluator: (slug) => getOrLoad(evaluators, slug, () => source.evaluator(slug)),
    clear() {
      changes += 1
      for (const cache of [responses, byAddress]) cache.clear()
    },
  }
}

/** A value and the change count when it was read; no value if nothing was stored. */
interface Entry<Value> {
  readonly value: Value | undefined
  readonly changes: number
}

/** At most two bytes per character, plus the overhead of an object. */
const estimateBytes = ({ text, systemText, model, messages = '', config = '' }: CachedVersion): number =>
  500 + 2 * (text.length + systemText.length + model.length + messages.length + config.length)
