/**
 * Feeds annotation queues in a scheduled job of its own: reading the traces stored since the last run costs ingestion
 * nothing, and also finds traces that are scored later.
 */
import type { AnnotationQueue, ControlStore } from '@plumbline/storage/control'
import type { Jobs } from '../../jobs/jobs.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { filtersOf, readFeed } from './feed.ts'

interface FeedingDeps {
  readonly control: Pick<ControlStore, 'revisions'>
  readonly workspaceOf: (workspaceId: string) => Workspace
}

const intervalMs = 30_000
/** A queue with this many unjudged items is not fed; also the most items added at a time. */
const unjudgedMax = 10_000

export function scheduleFeeding(jobs: Pick<Jobs, 'schedule'>, deps: FeedingDeps): void {
  jobs.schedule('annotation.feed', intervalMs, ({ now, signal }) => feedQueues(deps, now, signal))
}

/** Feeds every queue once; a queue that fails holds up no other. */
export async function feedQueues(
  { control, workspaceOf }: FeedingDeps,
  now: Date,
  signal?: AbortSignal,
): Promise<void> {
  const failures: unknown[] = []
  for (const workspaceId of (await control.revisions()).keys()) {
    const workspace = workspaceOf(workspaceId)
    for (const { queue, fedUntil } of await workspace.annotationQueues.listFed()) {
      signal?.throwIfAborted()
      try {
        if (await feedQueue(queue, fedUntil, workspace, now))
          await workspace.annotationQueues.setFedUntil({ queue, fedUntil: now })
      } catch (error) {
        failures.push(error)
      }
    }
  }
  if (failures.length > 0) throw failures[0]
}

/**
 * False if the queue is full; traces that arrive meanwhile are considered later. Sampling is deterministic, so a trace may
 * be sampled again, but it is added only once, and not again after it was removed.
 */
async function feedQueue(
  queue: AnnotationQueue,
  fedUntil: Date,
  workspace: Workspace,
  now: Date,
): Promise<boolean> {
  const { items, done } = await workspace.annotationQueues.progress(queue, '')
  if (queue.feed === undefined || items - done >= unjudgedMax) return false
  const storedFeed = readFeed(queue.feed)
  const ids = await workspace.traces.sample(filtersOf(storedFeed, fedUntil), {
    limit: unjudgedMax,
    fraction: storedFeed.feed.share,
    seed: queue.id,
  })
  await workspace.annotationItems.addMany(
    queue.id,
    ids.map((traceId) => ({ traceId, logId: undefined })),
    now,
  )
  return true
}
