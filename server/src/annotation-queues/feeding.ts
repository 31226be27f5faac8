/**
 * Adds to queues what their feeds say, on a timer of its own: reading what came to the trace store since the last time
 * costs recording nothing, and finds traces whose scores come later too. Of several nodes one feeds a queue at a time.
 */
import type { AnnotationQueue, ControlStore } from '@plumbline/storage/control'
import { TraceStoreAway } from '@plumbline/storage/traces'
import type { Logger } from 'pino'
import type { Workspace } from '../workspace.ts'
import { filtersOf, readFeed } from './feed.ts'

interface FeedingParts {
  readonly control: Pick<ControlStore, 'revisions'>
  readonly workspaceOf: (workspaceId: string) => Workspace
  readonly logger: Logger
  readonly now: () => Date
}

export interface Feeding {
  /** Feeds every queue that is due; resolves when it has. */
  run(): Promise<void>
  /** Begins to feed again and again. */
  start(): void
  /** Ends what is under way. */
  stop(): Promise<void>
}

const intervalMs = 30_000
/** What a node has not finished by then another one may. */
const heldMs = 5 * 60_000
/** A queue with so much left is fed when people have judged some of it; at most so much is added at a time. */
const leftMax = 10_000

export function makeFeeding({ control, workspaceOf, logger, now }: FeedingParts): Feeding {
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | undefined
  let isStopped = false

  const feed = async (workspace: Workspace): Promise<void> => {
    const at = now()
    const due = await workspace.annotationQueues.beginFeeding(at, new Date(at.getTime() + heldMs))
    for (const { queue, fedUntil } of due) {
      if (isStopped) return
      const wasFed = await feedQueue(queue, fedUntil, workspace, at)
      await workspace.annotationQueues.endFeeding({
        queue,
        fedUntil: wasFed ? at : fedUntil,
        dueAt: new Date(at.getTime() + intervalMs),
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
        const isAway = error instanceof TraceStoreAway
        logger[isAway ? 'warn' : 'error']({ err: error }, 'annotation queues could not be fed')
      })
      .finally(() => {
        running = undefined
      })
    return running
  }

  return {
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
 * False if the queue has enough to be judged, so that what comes meanwhile is looked at later. What was drawn before is
 * drawn again: it is added once, and not at all when somebody took it out.
 */
async function feedQueue(
  queue: AnnotationQueue,
  fedUntil: Date,
  workspace: Workspace,
  now: Date,
): Promise<boolean> {
  const { items, done } = await workspace.annotationQueues.progress(queue, '')
  if (queue.feed === undefined || items - done >= leftMax) return false
  const stored = readFeed(queue.feed)
  const ids = await workspace.traces.draw(filtersOf(stored, fedUntil), {
    limit: leftMax,
    share: stored.feed.share,
    seed: queue.id,
  })
  await workspace.annotationItems.addMany(
    queue.id,
    ids.map((traceId) => ({ traceId, logId: undefined })),
    now,
  )
  return true
}
