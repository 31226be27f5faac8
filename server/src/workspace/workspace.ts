import type { WorkspaceControlStore } from '@plumbline/storage/control'
import type { InsertResult, StoredTrace, WorkspaceTraces } from '@plumbline/storage/traces'
import type { FileStore } from '../datasets/files/file-store.ts'
import type { Sandbox } from '../evaluate/evaluators/code/run-code.ts'
import type { WorkspaceMasking } from '../ingest/masking/masking.ts'
import type { Recorder } from '../ingest/monitor/recorder.ts'
import type { OpenTrace } from '../ingest/otlp/open-traces.ts'
import type { FetchCounts } from '../prompts/prompts/fetch-counts.ts'
import type { WorkspaceCache } from './workspace-cache.ts'

/** Everything of one workspace. A verb is given the one of its caller, and has no way to another. */
export interface Workspace extends WorkspaceControlStore {
  readonly id: string
  readonly catalogue: WorkspaceCache
  readonly recorder: Recorder
  readonly traces: WorkspaceTraces
  /** Traces of OpenTelemetry with spans that `traces` lacks. */
  readonly openTraces: {
    find(otelTraceId: string): Promise<OpenTrace | undefined>
    findByOurs(traceId: string): Promise<OpenTrace | undefined>
  }
  /** What its rules leave of what is stored past the recorder. */
  readonly masking: WorkspaceMasking
  readonly fileStore: FileStore
  /** Where code of people runs. */
  readonly sandbox: Sandbox
  /** Resolves when everything acknowledged until now is in `traces`, spans in their traces. */
  readonly settle: () => Promise<void>
  /** Stores whole traces, as they lie in another place; the same ones under the same token are stored once. */
  readonly restoreTraces: (token: string, traces: readonly StoredTrace[]) => Promise<InsertResult>
  /** Who fetches which version of which prompt. */
  readonly fetchCounts: FetchCounts
  /** Writes down what the ledger has counted in memory. */
  readonly flushLedger: () => Promise<void>
}
