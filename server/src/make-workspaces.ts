/** Builds a workspace, with its stores, caches and services, when it is first requested. */
import type { ControlStore } from '@plumbline/storage/control'
import type { InsertBatch, StoredTrace, TraceStore } from '@plumbline/storage/traces'
import { encodeLogs, encodeScores, encodeTraces } from '@plumbline/storage/traces/rows'
import type { Config } from './config.ts'
import { fileStoreOf } from './datasets/files/file-store.ts'
import type { CodeSandbox } from './evaluate/evaluators/code/run-code.ts'
import type { Ledger } from './ingest/ledger/ledger.ts'
import { type Masking, maskingOf } from './ingest/masking/masking.ts'
import type { Recorders } from './ingest/monitor/recorder.ts'
import type { OpenTraces } from './ingest/otlp/assembly/open-traces.ts'
import type { FetchCounts } from './prompts/prompts/fetch-counts.ts'
import type { Caches } from './workspace/caches.ts'
import type { Workspace, Workspaces } from './workspace/workspace.ts'

interface WorkspacesParts {
  readonly control: ControlStore
  readonly traceStore: TraceStore
  readonly caches: Pick<Caches, 'of'>
  readonly recorders: Recorders
  readonly masking: Masking
  readonly ledger: Ledger
  readonly fetchCounts: FetchCounts
  readonly sandbox: CodeSandbox
  readonly openTraces: OpenTraces
  readonly settle: (workspaceId: string) => Promise<void>
  readonly config: Config
  readonly dataFolder: string
}

export function makeWorkspaces({
  control,
  traceStore,
  caches,
  recorders,
  masking,
  ledger,
  fetchCounts,
  sandbox,
  openTraces,
  settle,
  config,
  dataFolder,
}: WorkspacesParts): Workspaces {
  const workspaces = new Map<string, Workspace>()

  const make = (id: string): Workspace => {
    const stores = control.scopedTo({ workspaceId: id })
    return {
      ...stores,
      id,
      cache: caches.of(id),
      recorder: recorders.of(id),
      traces: traceStore.scopedTo(id),
      masking: maskingOf(masking, id),
      fileStore: fileStoreOf(id, { config, dataFolder, control }),
      sandbox: sandbox.of(id),
      openTraces: {
        find: (otelTraceId) => openTraces.find(id, otelTraceId),
        findByOurs: (traceId) => openTraces.findByOurs(id, traceId),
      },
      settle: () => settle(id),
      restoreTraces: (token, traces) => traceStore.insert(batchOf(id, token, traces)),
      fetchCounts,
      flushLedger: () => ledger.flush(),
    }
  }

  return {
    of(workspaceId) {
      const workspace = workspaces.get(workspaceId) ?? make(workspaceId)
      workspaces.set(workspaceId, workspace)
      return workspace
    },
  }
}

/** Assigns the rows to this workspace, wherever they come from. */
const batchOf = (workspaceId: string, token: string, traces: readonly StoredTrace[]): InsertBatch => ({
  token: `${workspaceId}/${token}`,
  traces: encodeTraces(traces.map(({ trace }) => ({ ...trace, workspaceId }))),
  logs: encodeLogs(traces.flatMap(({ logs }) => logs.map((log) => ({ ...log, workspaceId })))),
  scores: encodeScores(traces.flatMap(({ scores }) => scores.map((score) => ({ ...score, workspaceId })))),
})
