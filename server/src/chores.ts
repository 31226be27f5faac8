/** What has to be done again and again, beside the requests. */
import type { ControlStore } from '@plumbline/storage/control'
import type { Logger } from 'pino'
import { keptMs } from './evaluations/pace.ts'
import { assemblyKeptMs } from './otlp/pace.ts'
import { fetchesKeptMs } from './prompts/fetch-counts.ts'

interface ChoreParts {
  readonly control: ControlStore
  readonly forget: (workspaceId: string) => void
  /** Writes down what is counted in memory. */
  readonly books: () => Promise<void>
  readonly touch: () => string[]
  /** Deletes traces that have expired. */
  readonly expire: () => Promise<void>
  /** How long the answer to a request with an `Idempotency-Key` is kept. */
  readonly answersKeptMs: number
  /** Goes on with workspaces that are being deleted. */
  readonly deleteWorkspaces: () => Promise<void>
  /** A session that was not used for so long has ended. */
  readonly idleMs: number
  readonly logger: Logger
  readonly now: () => Date
}

/** What has to be done again and again: other nodes' changes, the books, the last use of keys, what has expired. */
export function startChores({
  control,
  forget,
  books,
  touch,
  expire,
  answersKeptMs,
  deleteWorkspaces,
  idleMs,
  logger,
  now,
}: ChoreParts): () => void {
  let known = new Map<string, number>()
  const chores: [everyMs: number, work: () => Promise<void>][] = [
    [
      1000,
      async () => {
        const revisions = await control.revisions()
        for (const [workspaceId, revision] of revisions)
          if (known.get(workspaceId) !== revision) forget(workspaceId)
        // One that is being deleted is no longer among them.
        for (const workspaceId of known.keys()) if (!revisions.has(workspaceId)) forget(workspaceId)
        known = revisions
      },
    ],
    [1000, books],
    [60_000, async () => control.touchApiKeys(touch(), now())],
    [60_000, deleteWorkspaces],
    [3_600_000, expire],
    [
      3_600_000,
      async () => {
        const before = new Date(now().getTime() - answersKeptMs)
        const fetchedBefore = new Date(now().getTime() - fetchesKeptMs)
        for (const workspaceId of known.keys()) {
          const stores = control.scopedTo({ workspaceId })
          await stores.idempotency.forgetBefore(before)
          await stores.promptFetches.forgetBefore(fetchedBefore)
        }
        await control.people.forgetExpired(now(), new Date(now().getTime() - idleMs))
        await control.assemblies.forgetBefore(new Date(now().getTime() - assemblyKeptMs))
        await control.evaluations.forget({
          ended: new Date(now().getTime() - keptMs.ended),
          failed: new Date(now().getTime() - keptMs.failed),
        })
      },
    ],
  ]
  const timers = chores.map(([everyMs, work]) => {
    let isUnderWay = false
    return setInterval(() => {
      if (isUnderWay) return
      isUnderWay = true
      work()
        .catch((error: unknown) => logger.warn({ err: error }, 'a chore failed and will be tried again'))
        .finally(() => {
          isUnderWay = false
        })
    }, everyMs).unref()
  })
  return () => timers.forEach(clearInterval)
}
