import type { WorkspaceControlStore } from '@plumbline/storage/control'
import type { InsertResult, StoredTrace, WorkspaceTraces } from '@plumbline/storage/traces'
import type { WorkspaceCache } from './workspace-cache.ts'

/**
 * Everything of one workspace. A verb is given the one of its caller, and has no way to another. What a subsystem adds
 * to it, such as the recorder, is declared where it is made: `git grep 'interface Workspace '` finds all of it.
 */
export interface Workspace extends WorkspaceControlStore {
  readonly id: string
  readonly cache: WorkspaceCache
  readonly traces: WorkspaceTraces
  /** Resolves when everything acknowledged until now is in `traces`, spans in their traces. */
  readonly settle: () => Promise<void>
  /** Stores whole traces, as they lie in another place; the same ones under the same token are stored once. */
  readonly restoreTraces: (token: string, traces: readonly StoredTrace[]) => Promise<InsertResult>
  /** Writes down what the ledger has counted in memory. */
  readonly flushLedger: () => Promise<void>
}

export interface Workspaces {
  of(workspaceId: string): Workspace
}
