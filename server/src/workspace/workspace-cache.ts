/**
 * What recording and serving ask of the control plane, kept in memory: a trace that names ten prompts asks no
 * store. Every change of a workspace empties its catalogue, on this node at once and on others within seconds.
 */
import type { Operation } from '@plumbline/contract'
import type { RunningRollout } from '@plumbline/storage/control'
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
  /** Counts the changes seen; an answer made before one must not be kept after it. */
  readonly generation: number
  clear(): void
}

const responsesBytesMax = 32 * 1024 * 1024
const promptsBytesMax = 64 * 1024 * 1024
/** A limit by size: with `max`, a cache reserves all its entries at once, 1.3 MB in each workspace. */
const entryLimit = { maxSize: 20_000, sizeCalculation: () => 1 } as const
/** Their payloads are those of `responses`, as long as they are there. */
const addressesBytesMax = 16 * 1024 * 1024

export function makeWorkspaceCache(source: WorkspaceCacheSource): WorkspaceCache {
  let generation = 0
  const features = new LRUCache<string, { exists: boolean }>(entryLimit)
  const experiments = new LRUCache<string, { exists: boolean }>(entryLimit)
  const evaluators = new LRUCache<string, { evaluator: CachedEvaluator | undefined }>(entryLimit)
  const prompts = new LRUCache<string, { prompt: CachedPrompt | undefined }>({
    maxSize: promptsBytesMax,
    sizeCalculation: ({ prompt }) =>
      200 + (prompt?.versions.reduce((sum, version) => sum + estimateBytes(version), 0) ?? 0),
  })
  const responses = new LRUCache<string, EncodedJson>({
    maxSize: responsesBytesMax,
    sizeCalculation: ({ payload }) => 200 + 2 * payload.length,
  })

  const byAddress = new LRUCache<string, ReadyResponse>({
    maxSize: addressesBytesMax,
    sizeCalculation: ({ response }, address) => 1000 + 2 * (address.length + response.payload.length),
  })

  /** The entry kept, or the one asked for, which is kept unless something changed meanwhile. */
  const getOrLoad = async <Entry extends object>(
    cache: LRUCache<string, Entry>,
    key: string,
    load: () => Promise<Entry>,
  ): Promise<Entry> => {
    const cached = cache.get(key)
    if (cached !== undefined) return cached
    const startGeneration = generation
    const entry = await load()
    if (startGeneration === generation) cache.set(key, entry)
    return entry
  }

  return {
    responses,
    byAddress,
    get generation() {
      return generation
    },
    hasFeature: async (slug) =>
      (await getOrLoad(features, slug, async () => ({ exists: await source.hasFeature(slug) }))).exists,
    hasExperiment: async (id) =>
      (await getOrLoad(experiments, id, async () => ({ exists: await source.hasExperiment(id) }))).exists,
    prompt: async (slug) =>
      (await getOrLoad(prompts, slug, async () => ({ prompt: await source.prompt(slug) }))).prompt,
    evaluator: async (slug) =>
      (await getOrLoad(evaluators, slug, async () => ({ evaluator: await source.evaluator(slug) })))
        .evaluator,
    clear() {
      generation += 1
      for (const cache of [features, experiments, evaluators, prompts, responses, byAddress]) cache.clear()
    },
  }
}

/** Two bytes a character at most, and what an object costs. */
const estimateBytes = ({ text, systemText, model, messages = '', config = '' }: CachedVersion): number =>
  500 + 2 * (text.length + systemText.length + model.length + messages.length + config.length)
