/**
 * What recording and serving ask of the control plane, kept in memory: a trace that names ten prompts asks no
 * store. Every change of a workspace empties its catalogue, on this node at once and on others within seconds.
 */
import type { RunningRollout } from '@plumbline/storage/control'
import { LRUCache } from 'lru-cache'
import type { EncodedJson } from './answers.ts'

/** A prompt as serving needs it, with all its versions, newest first. */
export interface CataloguedPrompt {
  readonly slug: string
  readonly name: string
  readonly featureSlug: string | null
  readonly versions: readonly CataloguedVersion[]
  /** Those that run, at most one of a tag. */
  readonly rollouts: readonly RunningRollout[]
}

export interface CataloguedVersion {
  readonly version: string
  readonly text: string
  readonly systemText: string
  /** JSON text of the contract's `Model`. */
  readonly model: string
  readonly tags: readonly string[]
}

/** An evaluator as recording needs it. */
export interface CataloguedEvaluator {
  readonly kind: string
  readonly version: number
  readonly sampleRate: number
  /** The model that judges; undefined where none does. */
  readonly asked: { readonly connectionId: string; readonly model: string } | undefined
}

/** The questions, each answered by one query. */
export interface CatalogueSource {
  hasFeature(slug: string): Promise<boolean>
  hasExperiment(id: string): Promise<boolean>
  prompt(slug: string): Promise<CataloguedPrompt | undefined>
  evaluator(slug: string): Promise<CataloguedEvaluator | undefined>
}

export interface Catalogue extends CatalogueSource {
  /** Answers that are ready to send, by a key of the caller's. */
  readonly answers: LRUCache<string, EncodedJson>
  /** Counts the changes seen; an answer made before one must not be kept after it. */
  readonly epoch: number
  forget(): void
}

const answersBytesMax = 32 * 1024 * 1024
const promptsBytesMax = 64 * 1024 * 1024
const entriesMax = 20_000

export function makeCatalogue(source: CatalogueSource): Catalogue {
  let epoch = 0
  const features = new LRUCache<string, { exists: boolean }>({ max: entriesMax })
  const experiments = new LRUCache<string, { exists: boolean }>({ max: entriesMax })
  const evaluators = new LRUCache<string, { evaluator: CataloguedEvaluator | undefined }>({ max: entriesMax })
  const prompts = new LRUCache<string, { prompt: CataloguedPrompt | undefined }>({
    maxSize: promptsBytesMax,
    sizeCalculation: ({ prompt }) =>
      200 + (prompt?.versions.reduce((sum, version) => sum + bytesOf(version), 0) ?? 0),
  })
  const answers = new LRUCache<string, EncodedJson>({
    maxSize: answersBytesMax,
    sizeCalculation: ({ payload }) => 200 + 2 * payload.length,
  })

  /** The entry kept, or the one asked for, which is kept unless something changed meanwhile. */
  const remember = async <Entry extends object>(
    cache: LRUCache<string, Entry>,
    key: string,
    ask: () => Promise<Entry>,
  ): Promise<Entry> => {
    const kept = cache.get(key)
    if (kept !== undefined) return kept
    const askedIn = epoch
    const entry = await ask()
    if (askedIn === epoch) cache.set(key, entry)
    return entry
  }

  return {
    answers,
    get epoch() {
      return epoch
    },
    hasFeature: async (slug) =>
      (await remember(features, slug, async () => ({ exists: await source.hasFeature(slug) }))).exists,
    hasExperiment: async (id) =>
      (await remember(experiments, id, async () => ({ exists: await source.hasExperiment(id) }))).exists,
    prompt: async (slug) =>
      (await remember(prompts, slug, async () => ({ prompt: await source.prompt(slug) }))).prompt,
    evaluator: async (slug) =>
      (await remember(evaluators, slug, async () => ({ evaluator: await source.evaluator(slug) }))).evaluator,
    forget() {
      epoch += 1
      for (const cache of [features, experiments, evaluators, prompts, answers]) cache.clear()
    },
  }
}

/** Two bytes a character at most, and what an object costs. */
const bytesOf = ({ text, systemText, model }: CataloguedVersion): number =>
  500 + 2 * (text.length + systemText.length + model.length)
