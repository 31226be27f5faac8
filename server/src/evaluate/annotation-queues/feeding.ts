/**
 * Feeds annotation queues on its own timer: reading the traces stored since the last time costs ingestion nothing, and
 * also finds traces that are scored later. Only one node at a time feeds a queue.
 */
import type { AnnotationQueue, ControlStore } from '@plumbline/storage/control'
import { TraceStoreUnavailable } from '@plumbline/storage/traces'
import type { Logger } from 'pino'
import type { Service } from '../../jobs/service.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { filtersOf, readFeed } from './feed.ts'

interface FeedingParts {
  readonly control: Pick<ControlStore, 'revisions'>
  readonly workspaceOf: (workspaceId: string) => Workspace
  readonly logger: Logger
  readonly now: () => Date
}

export interface Feeding extends Service {
  /** Feeds every due queue once. */
  run(): Promise<void>
}

const intervalMs = 30_000
/** After this another node may feed the queue. */
const leaseMs = 5 * 60_000
/** A queue with this many unjudged items is not fed; also the most items added at a time. */
const unjudgedMax = 10_000

export function makeFeeding({ control, workspaceOf, logger, now }: FeedingParts): Feeding {
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | undefined
  let isStopped = false

  const feed = async (workspace: Workspace): Promise<void> => {
    const time = now()
    const due = await workspace.annotationQueues.beginFeeding(time, new Date(time.getTime() + leaseMs))
    for (const { queue, fedUntil } of due) {
      if (isStopped) return
      const wasFed = await feedQueue(queue, fedUntil, workspace, time)
      await workspace.annotationQueues.endFeeding({
        queue,
        fedUntil: wasFed ? time : fedUntil,
        dueAt: new Date(time.getTime() + intervalMs),
      })
    }
  }

  const runAll = async (): Promise<void> => {
    for (const workspaceId of (await control.revisions()).keys()) {
      if (isStopped) return
      await feed(workspaceOf(workspaceId))
    }
  }

  const run = (): Promise<void> => {
    running ??= runAll()
      .catch((error: unknown) => {
        const isAway = error instanceof TraceStoreUnavailable
        logger[isAway ? 'warn' : 'error']({ err: error }, 'annotation queues could not be fed')
      })
      .finally(() => {
        running = undefined
      })
    return running
  }

  return {
    name: 'feeds of annotation queues',
    run,
    start() {
      timer = setInterval(() => void run(), intervalMs).unref()
    },
    async stop() {
      isStopped = true
      clearInterval(timer)
      await running
    },
  }
}

/**
 * False if the queue is full; traces that arrive meanwhile are considered later. Sampling is deterministic, so a trace is
 * sampled again, but added only once, and not at all after somebody removed it.
 */
async function feedQueue(
  queue: AnnotationQueue,
  fedUntil: Date,
  workspace: Workspace,
  now: Date,
): Promise<boolean> {
  const { items, done } = await workspace.annotationQueues.progress(queue, '')
  if (queue.feed === undefined || items - done >= unjudgedMax) return false
  const stored = readFeed(queue.feed)
  const ids = await workspace.traces.sample(filtersOf(stored, fedUntil), {
    limit: unjudgedMax,
    fraction: stored.feed.share,
    seed: queue.id,
  })
  await workspace.annotationItems.addMany(
    queue.id,
    ids.map((traceId) => ({ traceId, logId: undefined })),
    now,
  )
  return true
}
