/** What this process keeps in memory of workspaces, and when it forgets it. */
import type { LiveEvaluator, WorkspaceControlStore } from '@plumbline/storage/control'
import { haveSharedStores } from '../config.ts'
import { makeTimer } from '../jobs/timer.ts'
import type { Foundation } from '../process/foundation.ts'
import type { Service } from '../process/service.ts'
import { includeParts } from './include-parts.ts'
import { makeKept } from './kept-value.ts'
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
   * Resolves when what other nodes changed in a workspace is known here, so that what one of them acknowledged holds
   * at each, with false if the control plane does not tell; undefined where there is one node.
   */
  readonly catchUp: ((workspaceId: string) => Promise<boolean>) | undefined
  /** Evaluators with a live rule, by workspace. */
  liveEvaluators(): Promise<LiveEvaluators>
}

/** How soon this node hears of what others changed, where no request waits for it. */
const pollIntervalMs = 1000

export function makeCaches({ control, config, storeOf, signals, logger }: Foundation): Caches {
  const revisions = makeRevisions(control, signals.workspaceChanged.notify)
  const caches = new Map<string, WorkspaceCache>()
  const overrides = makeKept(
    async (): Promise<Overrides> => Object.fromEntries(await control.pricesByWorkspace()),
  )
  const liveEvaluators = makeKept((): Promise<LiveEvaluators> => control.liveEvaluators())

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
        // Once, so that there is something to go on with when the control plane goes away.
        start: async () => void (await Promise.all([overrides.get(), liveEvaluators.get()])),
        stop: async () => undefined,
      },
      makeTimer({
        name: 'revisions of workspaces',
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

/** The model that an evaluator asks. */
export const modelOf = ({
  kind,
  config,
}: Pick<LiveEvaluator, 'kind' | 'config'>): CachedEvaluator['target'] =>
  usesModel(kind) ? readModel(config) : undefined

/** The model that a configuration names; one that names none is told so when it judges. */
function readModel(config: string): CachedEvaluator['target'] {
  // Safe: the contract's schema let only objects in.
  const { connectionId, model } = JSON.parse(config) as Readonly<Record<string, unknown>>
  return typeof connectionId === 'string' && typeof model === 'string' ? { connectionId, model } : undefined
}
