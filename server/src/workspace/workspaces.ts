/** Every workspace with everything of it, made when it is first asked for. */
import { join } from 'node:path'
import type { ControlStore } from '@plumbline/storage/control'
import type { InsertBatch, StoredTrace, TraceStore } from '@plumbline/storage/traces'
import { encodeLogRow, encodeScoreRow, encodeTraceRow } from '@plumbline/storage/traces/rows'
import type { Config } from '../config.ts'
import { type FileStore, makeBucketStore, makeFolderStore } from '../datasets/files/file-store.ts'
import type { CodeSandbox } from '../evaluate/evaluators/code/run-code.ts'
import type { Ledger } from '../ingest/ledger/ledger.ts'
import type { Recorders } from '../ingest/monitor/recorder.ts'
import type { Overrides } from '../ingest/monitor/worker-messages.ts'
import type { FetchCounts } from '../prompts/prompts/fetch-counts.ts'
import type { Workspace } from './workspace.ts'
import { type CachedEvaluator, makeWorkspaceCache, type WorkspaceCache } from './workspace-cache.ts'

interface WorkspacesParts {
  readonly control: ControlStore
  readonly traceStore: TraceStore
  readonly recorders: Recorders
  readonly ledger: Ledger
  readonly fetchCounts: FetchCounts
  readonly sandbox: CodeSandbox
  /** Resolves when everything acknowledged until now is in the trace store. */
  readonly settle: () => Promise<void>
  readonly config: Config
  readonly dataFolder: string
}

export interface Workspaces {
  of(workspaceId: string): Workspace
  /** Price overrides of all workspaces. */
  overrides(): Promise<Overrides>
  /** Forgets what is kept in memory of a workspace: something in it has changed. */
  forget(workspaceId: string): void
}

export function makeWorkspaces({
  control,
  traceStore,
  recorders,
  ledger,
  fetchCounts,
  sandbox,
  settle,
  config,
  dataFolder,
}: WorkspacesParts): Workspaces {
  const made = new Map<string, Workspace>()
  let overrides: Promise<Overrides> | undefined

  const readOverrides = async (): Promise<Overrides> => {
    const ids = [...(await control.revisions()).keys()]
    const lists = await Promise.all(ids.map((workspaceId) => control.scopedTo({ workspaceId }).prices.list()))
    return Object.fromEntries(ids.map((id, index) => [id, lists[index] ?? []]))
  }

  const make = (id: string): Workspace => {
    const stores = control.scopedTo({ workspaceId: id })
    return {
      ...stores,
      id,
      catalogue: makeCache(stores),
      recorder: recorders.of(id),
      traces: traceStore.scopedTo(id),
      fileStore: fileStoreOf(id, config, dataFolder),
      sandbox: sandbox.of(id),
      settle,
      restoreTraces: (token, traces) => traceStore.insert(batchOf(id, token, traces)),
      fetchCounts,
      flushLedger: () => ledger.flush(),
    }
  }

  return {
    of(workspaceId) {
      const workspace = made.get(workspaceId) ?? make(workspaceId)
      made.set(workspaceId, workspace)
      return workspace
    },
    overrides() {
      overrides ??= readOverrides().catch((error: unknown) => {
        overrides = undefined
        throw error
      })
      return overrides
    },
    forget(workspaceId) {
      made.get(workspaceId)?.catalogue.clear()
      overrides = undefined
    },
  }
}

/** Rows become this workspace's here, wherever they come from. */
const batchOf = (workspaceId: string, token: string, traces: readonly StoredTrace[]): InsertBatch => ({
  token: `${workspaceId}/${token}`,
  traces: linesOf(traces.map(({ trace }) => encodeTraceRow({ ...trace, workspaceId }))),
  logs: linesOf(traces.flatMap(({ logs }) => logs.map((log) => encodeLogRow({ ...log, workspaceId })))),
  scores: linesOf(
    traces.flatMap(({ scores }) => scores.map((score) => encodeScoreRow({ ...score, workspaceId }))),
  ),
})

const linesOf = (lines: readonly string[]): Buffer => Buffer.from(lines.join(''))

const makeCache = (stores: ReturnType<ControlStore['scopedTo']>): WorkspaceCache =>
  makeWorkspaceCache({
    hasFeature: (slug) => stores.features.exists(slug),
    hasExperiment: (id) => stores.experiments.exists(id),
    async evaluator(slug) {
      const [evaluator] = await stores.evaluators.findMany([slug])
      return (
        evaluator && {
          ...evaluator,
          asked: usesModel(evaluator.kind) ? readModel(evaluator.config) : undefined,
        }
      )
    },
    async prompt(slug) {
      const loaded = await stores.prompts.load(slug)
      return loaded && { ...loaded, featureSlug: loaded.featureSlug ?? null }
    },
  })

const usesModel = (kind: string): boolean => kind === 'llm' || kind === 'embedding_similarity'

/** The model that a configuration names; one that names none is told so when it judges. */
function readModel(config: string): CachedEvaluator['asked'] {
  // Safe: the contract's schema let only objects in.
  const { connectionId, model } = JSON.parse(config) as Readonly<Record<string, unknown>>
  return typeof connectionId === 'string' && typeof model === 'string' ? { connectionId, model } : undefined
}

export function fileStoreOf(workspaceId: string, config: Config, dataFolder: string): FileStore {
  const {
    S3_BUCKET_URL: url,
    S3_REGION: region,
    S3_ACCESS_KEY_ID: accessKeyId,
    S3_SECRET_ACCESS_KEY: secretAccessKey,
  } = config
  return url !== undefined && accessKeyId !== undefined && secretAccessKey !== undefined
    ? makeBucketStore({ url, region, accessKeyId, secretAccessKey }, workspaceId)
    : makeFolderStore(join(dataFolder, 'files', workspaceId))
}
