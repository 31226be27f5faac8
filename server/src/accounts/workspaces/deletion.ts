/**
 * Deletes workspaces that are marked as being deleted, in steps that may be repeated: whatever a process that died has
 * left is done by the next that looks. Nobody reaches such a workspace, but requests and jobs that had begun may still
 * write; so everything is deleted at once, and once more at the end of a grace period.
 */
import type { ControlStore } from '@plumbline/storage/control'
import type { TraceStore } from '@plumbline/storage/traces'
import type { Logger } from 'pino'
import type { FileStore } from '../../datasets/files/file-store.ts'

/** Longer than any request, job or upload address of before may last. */
export const graceMs = 20 * 60_000

export interface DeletionParts {
  readonly control: Pick<ControlStore, 'deletions'>
  readonly traceStore: Pick<TraceStore, 'deleteWorkspace'>
  readonly fileStoreOf: (workspaceId: string) => Pick<FileStore, 'deleteAll'>
  /** Does some work while nothing is written into the trace store. */
  readonly hold: <Result>(work: () => Promise<Result>) => Promise<Result>
  readonly logger: Logger
  readonly now: () => Date
}

export interface WorkspaceDeletion {
  /** Does what there is to do now; resolves when it is done. Of several calls at once, one works. */
  run(): Promise<void>
  /** Ends after the step under way. */
  stop(): Promise<void>
}

/** What is done again and again until the end of the grace period. */
export const deletionSteps = ({
  control,
  traceStore,
  fileStoreOf,
  hold,
}: Omit<DeletionParts, 'logger' | 'now'>) =>
  [
    (id: string) => fileStoreOf(id).deleteAll(control.deletions.fileKeys(id)),
    // Together, so that no trace is assembled of what is half deleted.
    (id: string) =>
      hold(async () => {
        await control.deletions.deleteRows(id)
        await traceStore.deleteWorkspace(id)
      }),
  ] as const

export function makeWorkspaceDeletion(parts: DeletionParts): WorkspaceDeletion {
  const { control, logger, now } = parts
  let running: Promise<void> | undefined
  let isStopped = false

  const runAll = async (): Promise<void> => {
    for (const { workspaceId, since } of await control.deletions.list()) {
      try {
        for (const step of deletionSteps(parts)) {
          if (isStopped) return
          await step(workspaceId)
        }
        if (now().getTime() - since.getTime() < graceMs) continue
        await control.deletions.finish(workspaceId)
        logger.info({ workspaceId }, 'a workspace was deleted')
      } catch (error) {
        logger.warn({ err: error, workspaceId }, 'a workspace could not be deleted yet')
      }
    }
  }

  return {
    async run() {
      // Whoever marks one while others are deleted waits for a run that sees it.
      await running
      running ??= runAll().finally(() => {
        running = undefined
      })
      await running
    },
    async stop() {
      isStopped = true
      await running
    },
  }
}
