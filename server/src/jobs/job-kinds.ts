/** The kinds of job that the service knows: their handlers, and what one node does every now and then. */
import type { JobQueue, JsonValue, NewJob } from '@plumbline/storage/control'
import type { JobContext, JobHandler, JobPolicy, JobResult, RegisteredKind } from './job.ts'
import { attemptsMaxByDefault, retryDelayMs } from './retry-policy.ts'

type EnqueueOptions = Pick<NewJob, 'id' | 'key' | 'concurrencyGroup' | 'sequence' | 'position' | 'dueAt'> & {
  readonly workspaceId?: string
}

/** A kind of job, by which jobs of it are added. */
export interface JobKind<Payload extends JsonValue> {
  readonly name: string
  /** A job to add in a transaction of the control plane; call `notify` after it. */
  newJob(payload: Payload, options?: EnqueueOptions): NewJob
  /** Adds a job; false if one with its key is there. */
  enqueue(payload: Payload, options?: EnqueueOptions): Promise<boolean>
}

export interface JobKinds {
  readonly kinds: ReadonlyMap<string, RegisteredKind>
  handle<Payload extends JsonValue>(
    kind: string,
    handler: JobHandler<Payload>,
    policy?: JobPolicy,
  ): JobKind<Payload>
  schedule(kind: string, everyMs: number, work: (context: JobContext) => Promise<void>): void
  /** Adds the jobs of what is scheduled, where they are not there. */
  enqueueScheduled(): Promise<void>
}

interface JobKindsDeps {
  readonly queue: Pick<JobQueue, 'enqueue'>
  /** Called when a job was added. */
  readonly onAdded: () => void
  readonly now: () => Date
}

export function makeJobKinds({ queue, onAdded, now }: JobKindsDeps): JobKinds {
  const kinds = new Map<string, RegisteredKind>()
  const scheduled: { kind: string; everyMs: number }[] = []

  const handle: JobKinds['handle'] = (kind, handler, policy = {}) => {
    if (kinds.has(kind)) throw new Error(`The kind of job "${kind}" has a handler already.`)
    // Safe: only `newJob` below writes the payload of this kind.
    kinds.set(kind, { handler: handler as JobHandler<JsonValue>, policy })
    const attemptsMax = 'attemptsMax' in policy ? policy.attemptsMax : attemptsMaxByDefault
    const newJob: JobKind<JsonValue>['newJob'] = (payload, options = {}) => ({
      ...options,
      workspaceId: options.workspaceId,
      kind,
      payload,
      attemptsMax,
    })
    return {
      name: kind,
      newJob,
      async enqueue(payload, options) {
        const added = await queue.enqueue([newJob(payload, options)], now())
        onAdded()
        return added.length > 0
      },
    }
  }

  return {
    kinds,
    handle,
    schedule(kind, everyMs, work) {
      const again = async (_payload: JsonValue, context: JobContext): Promise<JobResult> => {
        await work(context)
        return { type: 'again', dueAt: new Date(now().getTime() + everyMs) }
      }
      handle(kind, again, {
        attemptsMax: undefined,
        retryDelayMs: (failures, chance) => Math.min(everyMs, retryDelayMs(failures, chance)),
      })
      scheduled.push({ kind, everyMs })
    },
    async enqueueScheduled() {
      await queue.enqueue(
        scheduled.map(({ kind, everyMs }) => ({
          kind,
          key: 'scheduled',
          workspaceId: undefined,
          payload: null,
          dueAt: new Date(now().getTime() + everyMs),
          attemptsMax: undefined,
        })),
        now(),
      )
    },
  }
}
