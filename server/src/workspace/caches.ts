/** What this process caches of workspaces, and when the caches are invalidated. */
import type { LiveEvaluator, WorkspaceControlStore } from '@plumbline/storage/control'
import { haveSharedStores } from '../config.ts'
import { makeTimer } from '../jobs/timer.ts'
import type { Foundation } from '../process/foundation.ts'
import type { Service } from '../process/service.ts'
import { makeCachedValue } from './cached-value.ts'
import { includeParts } from './include-parts.ts'
import { makeRevisions } from './revisions.ts'
import { type CachedEvaluator, makeWorkspaceCache, type WorkspaceCache } from './workspace-cache.ts'

type Price = Awaited<ReturnType<WorkspaceControlStore['prices']['list']>>[number]

/** Price overrides by workspace. */
type Overrides = Readonly<Record<string, readonly Price[]>>

type LiveEvaluators = ReadonlyMap<string, readonly LiveEvaluator[]>

export interface Caches {
  readonly services: readonly Service[]
  of(workspaceId: string): WorkspaceCache
  /** Price overrides of all workspaces that have any. */
  overrides(): Promise<Overrides>
  /**
   * Resolves once this node knows the changes that other nodes made in a workspace, so that what one node has acknowledged
   * applies at all; with false if the control plane does not respond. Undefined with a single node.
   */
  readonly catchUp: ((workspaceId: string) => Promise<boolean>) | undefined
  /** Evaluators with a live rule, by workspace. */
  liveEvaluators(): Promise<LiveEvaluators>
}

/** How soon this node learns about changes on other nodes if no request waits for them. */
const pollIntervalMs = 1000

export function makeCaches({ control, config, storeOf, signals, logger }: Foundation): Caches {
  const revisions = makeRevisions(control, signals.workspaceChanged.notify)
  const caches = new Map<string, WorkspaceCache>()
  const overrides = makeCachedValue(
    async (): Promise<Overrides> => Object.fromEntries(await control.pricesByWorkspace()),
  )
  const liveEvaluators = makeCachedValue((): Promise<LiveEvaluators> => control.liveEvaluators())

  signals.workspaceChanged.subscribe((workspaceId) => {
    caches.get(workspaceId)?.clear()
    overrides.forget()
    liveEvaluators.forget()
  })

  return {
    catchUp: haveSharedStores(config) ? revisions.catchUp : undefined,
    of(workspaceId) {
      const cache = caches.get(workspaceId) ?? makeCache(storeOf(workspaceId))
      caches.set(workspaceId, cache)
      return cache
    },
    overrides: overrides.get,
    liveEvaluators: liveEvaluators.get,
    services: [
      {
        name: 'prices and live rules',
        // Read once, so that there are values to use if the control plane becomes unavailable.
        start: async () => void (await Promise.all([overrides.get(), liveEvaluators.get()])),
        stop: async () => undefined,
      },
      makeTimer({
        name: 'workspace revisions',
        everyMs: pollIntervalMs,
        tick: revisions.poll,
        logger,
      }),
    ],
  }
}

const makeCache = (stores: WorkspaceControlStore): WorkspaceCache =>
  makeWorkspaceCache({
    hasFeature: (slug) => stores.features.exists(slug),
    hasExperiment: (id) => stores.experiments.exists(id),
    async evaluator(slug) {
      const [evaluator] = await stores.evaluators.findMany([slug])
      return (
        evaluator && {
          ...evaluator,
          target: modelOf(evaluator),
        }
      )
    },
    async prompt(slug) {
      const loaded = await stores.prompts.load(slug)
      if (loaded === undefined) return undefined
      const versions = await includeParts(slug, loaded.versions, stores.prompts.load)
      return { ...loaded, versions, featureSlug: loaded.featureSlug ?? null }
    },
  })

const usesModel = (kind: string): boolean => kind === 'llm' || kind === 'embedding_similarity'

/** The model that an evaluator calls. */
export const modelOf = ({
  kind,
  config,
}: Pick<LiveEvaluator, 'kind' | 'config'>): CachedEvaluator['target'] =>
  usesModel(kind) ? readModel(config) : undefined

/** The model in an evaluator's configuration; without one, the evaluation reports the error. */
function readModel(config: string): CachedEvaluator['target'] {
  // Safe: the contract's schema accepts only objects.
  const { connectionId, model } = JSON.parse(config) as Readonly<Record<string, unknown>>
  return typeof connectionId === 'string' && typeof model === 'string' ? { connectionId, model } : undefined
}
