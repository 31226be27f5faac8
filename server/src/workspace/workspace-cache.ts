/**
 * What recording and serving ask of the control plane, kept in memory: a trace that names ten prompts asks no
 * store. After every change of a workspace all of it is read again, on this node at once and on others within seconds.
 * While the control plane is away, what was read last stands for what cannot be read.
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
  /** Those that run, at most one of a tag. */
  readonly rollouts: readonly RunningRollout[]
}

export interface CachedVersion {
  readonly version: string
  readonly text: string
  readonly systemText: string
  /** JSON text of the contract's `Model`. */
  readonly model: string
  /** JSON text of a list of messages, in place of the texts. */
  readonly messages?: string | undefined
  /** JSON text of an object. */
  readonly config?: string | undefined
  readonly message?: string | undefined
  readonly createdAt?: Date | undefined
  readonly tags: readonly string[]
  /** Sentences on shared parts that could not be put in its place. */
  readonly partProblems?: readonly string[] | undefined
}

/** An evaluator as recording needs it. */
export interface CachedEvaluator {
  readonly kind: string
  readonly version: number
  readonly sampleRate: number
  /** The model that judges; undefined where none does. */
  readonly target: { readonly connectionId: string; readonly model: string } | undefined
}

/** The questions, each answered by one query. */
export interface WorkspaceCacheSource {
  hasFeature(slug: string): Promise<boolean>
  hasExperiment(id: string): Promise<boolean>
  prompt(slug: string): Promise<CachedPrompt | undefined>
  evaluator(slug: string): Promise<CachedEvaluator | undefined>
}

/** A whole response to an address, as it was sent to an API key that may ask for it. */
export interface ReadyResponse {
  readonly operation: Operation
  readonly response: EncodedJson
  /** Names and values in turn. */
  readonly headers: readonly string[]
}

export interface WorkspaceCache extends WorkspaceCacheSource {
  /** Answers that are ready to send, by a key of the caller's. */
  readonly responses: LRUCache<string, EncodedJson>
  /** Responses by path and query, for requests that need neither. */
  readonly byAddress: LRUCache<string, ReadyResponse>
  /** Counts the changes seen, and what may be one; an answer made before it must not be kept after it. */
  readonly generation: number
  /** Has everything read again. */
  clear(): void
}

const responsesBytesMax = 32 * 1024 * 1024
const promptsBytesMax = 64 * 1024 * 1024
/** A limit by size: with `max`, a cache reserves all its entries at once, 1.3 MB in each workspace. */
const entryLimit = { maxSize: 20_000, sizeCalculation: () => 1 } as const
/** Their payloads are those of `responses`, as long as they are there. */
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
   * What is cached, or what the store has. That is cached as of when it was asked for, so that it is read again if something
   * changed meanwhile, and stands if the control plane is away by then.
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
      // What did not exist may have been made since: of that nothing is said.
      if (!(error instanceof ControlStoreAway) || cached?.value === undefined) throw error
      // A response made of what may be out of date must not outlive the outage.
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

/** What was read, and how many changes had been seen by then; no value where there was nothing. */
interface Entry<Value> {
  readonly value: Value | undefined
  readonly changes: number
}

/** Two bytes a character at most, and what an object costs. */
const estimateBytes = ({ text, systemText, model, messages = '', config = '' }: CachedVersion): number =>
  500 + 2 * (text.length + systemText.length + model.length + messages.length + config.length)
