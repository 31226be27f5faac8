/**
 * Deletes workspaces that are marked as deleted, in repeatable steps: the next attempt of the job completes what a process
 * that died has left. Such a workspace is inaccessible, but requests and jobs that had already started may still write. So
 * everything is deleted at once, and once more at the end of a grace period.
 */
import type { ControlStore } from '@plumbline/storage/control'
import type { TraceStore } from '@plumbline/storage/traces'
import type { FileStore } from '../../datasets/files/file-store.ts'
import type { Jobs } from '../../jobs/jobs.ts'

/** Longer than any earlier request, job or upload URL can last. */
export const graceMs = 20 * 60_000

export interface DeletionParts {
  readonly deletions: ControlStore['deletions']
  readonly traceStore: Pick<TraceStore, 'deleteWorkspace'>
  readonly fileStoreOf: (workspaceId: string) => Pick<FileStore, 'deleteAll'>
  /** Runs work while nothing is written to the trace store. */
  readonly pauseDrainWhile: <Result>(work: () => Promise<Result>) => Promise<Result>
}

/** Run at once, and again at the end of the grace period. */
export const deletionSteps = ({ deletions, traceStore, fileStoreOf, pauseDrainWhile }: DeletionParts) =>
  [
    (id: string) => fileStoreOf(id).deleteAll(deletions.fileKeys(id)),
    // Together, so that no trace is assembled from half-deleted data.
    (id: string) =>
      pauseDrainWhile(async () => {
        await deletions.deleteRows(id)
        await traceStore.deleteWorkspace(id)
      }),
  ] as const

/** Handles the job that is added when a workspace is marked. It is retried until the workspace is deleted. */
export function handleWorkspaceDeletion(jobs: Jobs, parts: DeletionParts): void {
  const { deletions } = parts
  jobs.handle<{ workspaceId: string }>(
    'workspace.delete',
    async ({ workspaceId }, { now, signal, reportProgress }) => {
      const since = await deletions.find(workspaceId)
      if (since === undefined) return { type: 'done' }
      for (const [index, step] of deletionSteps(parts).entries()) {
        signal.throwIfAborted()
        await step(workspaceId)
        await reportProgress({ steps: index + 1 })
      }
      const endsAt = new Date(since.getTime() + graceMs)
      if (now < endsAt) return { type: 'again', dueAt: endsAt }
      await deletions.finish(workspaceId)
      return { type: 'done' }
    },
    { attemptsMax: undefined, retryDelayMs: () => 60_000 },
  )
}
