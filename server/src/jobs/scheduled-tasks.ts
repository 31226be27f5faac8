/** What has to be done again and again, beside the requests. */
import type { ControlStore } from '@plumbline/storage/control'
import type { Logger } from 'pino'
import { retentionMs } from '../evaluate/evaluations/retention.ts'
import { assemblyKeptMs } from '../ingest/otlp/assembly-timing.ts'
import { fetchesKeptMs } from '../prompts/prompts/fetch-counts.ts'

interface SchedulerDeps {
  readonly control: ControlStore
  readonly clearCache: (workspaceId: string) => void
  /** Writes down what is counted in memory. */
  readonly flushCounters: () => Promise<void>
  readonly takeUsedKeys: () => string[]
  /** Deletes traces that have expired. */
  readonly expireTraces: () => Promise<void>
  /** How long the answer to a request with an `Idempotency-Key` is kept. */
  readonly responseRetentionMs: number
  /** Goes on with workspaces that are being deleted. */
  readonly deleteWorkspaces: () => Promise<void>
  /** A session that was not used for so long has ended. */
  readonly sessionIdleMs: number
  readonly logger: Logger
  readonly now: () => Date
}

/** What has to be done again and again: other nodes' changes, the books, the last use of keys, what has expired. */
export function startScheduler({
  control,
  clearCache,
  flushCounters,
  takeUsedKeys,
  expireTraces,
  responseRetentionMs,
  deleteWorkspaces,
  sessionIdleMs,
  logger,
  now,
}: SchedulerDeps): () => void {
  let knownRevisions = new Map<string, number>()
  const tasks: [everyMs: number, work: () => Promise<void>][] = [
    [
      1000,
      async () => {
        const revisions = await control.revisions()
        for (const [workspaceId, revision] of revisions)
          if (knownRevisions.get(workspaceId) !== revision) clearCache(workspaceId)
        // One that is being deleted is no longer among them.
        for (const workspaceId of knownRevisions.keys())
          if (!revisions.has(workspaceId)) clearCache(workspaceId)
        knownRevisions = revisions
      },
    ],
    [1000, flushCounters],
    [60_000, async () => control.touchApiKeys(takeUsedKeys(), now())],
    [60_000, deleteWorkspaces],
    [3_600_000, expireTraces],
    [
      3_600_000,
      async () => {
        const before = new Date(now().getTime() - responseRetentionMs)
        const fetchedBefore = new Date(now().getTime() - fetchesKeptMs)
        for (const workspaceId of knownRevisions.keys()) {
          const stores = control.scopedTo({ workspaceId })
          await stores.idempotency.forgetBefore(before)
          await stores.promptFetches.forgetBefore(fetchedBefore)
        }
        await control.people.forgetExpired(now(), new Date(now().getTime() - sessionIdleMs))
        await control.assemblies.forgetBefore(new Date(now().getTime() - assemblyKeptMs))
        await control.evaluations.forget({
          ended: new Date(now().getTime() - retentionMs.ended),
          failed: new Date(now().getTime() - retentionMs.failed),
        })
      },
    ],
  ]
  const timers = tasks.map(([everyMs, work]) => {
    let isRunning = false
    return setInterval(() => {
      if (isRunning) return
      isRunning = true
      work()
        .catch((error: unknown) => logger.warn({ err: error }, 'a chore failed and will be tried again'))
        .finally(() => {
          isRunning = false
        })
    }, everyMs).unref()
  })
  return () => timers.forEach(clearInterval)
}
