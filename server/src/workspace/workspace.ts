import type { WorkspaceControlStore } from '@plumbline/storage/control'
import type { InsertResult, StoredTrace, WorkspaceTraces } from '@plumbline/storage/traces'
import type { WorkspaceCache } from './workspace-cache.ts'

/**
 * The stores and services of one workspace. A verb receives its caller's workspace, and cannot reach another. Subsystems
 * declare what they add to it, such as the recorder, in their own files: `git grep 'interface Workspace '` finds all of it.
 */
export interface Workspace extends WorkspaceControlStore {
  readonly id: string
  readonly cache: WorkspaceCache
  readonly traces: WorkspaceTraces
  /** Resolves when everything acknowledged so far is in `traces`, and spans are assembled into their traces. */
  readonly settle: () => Promise<void>
  /** Stores whole traces from another installation; the same traces under the same token are stored once. */
  readonly restoreTraces: (token: string, traces: readonly StoredTrace[]) => Promise<InsertResult>
  /** Stores what the ledger has counted in memory. */
  readonly flushLedger: () => Promise<void>
}

export interface Workspaces {
  of(workspaceId: string): Workspace
}
