/** The registered job kinds: their handlers, and scheduled tasks. */
import type { JobQueue, JsonValue, NewJob } from '@plumbline/storage/control'
import type { JobContext, JobHandler, JobPolicy, JobResult, RegisteredKind } from './job.ts'
import { attemptsMaxByDefault, retryDelayMs } from './retry-policy.ts'

type EnqueueOptions = Pick<NewJob, 'id' | 'key' | 'concurrencyGroup' | 'sequence' | 'position' | 'dueAt'> & {
  readonly workspaceId?: string
}

/** A kind of job, for adding jobs of it. */
export interface JobKind<Payload extends JsonValue> {
  readonly name: string
  /** A job to add in a control plane transaction; call `notify` afterwards. */
  newJob(payload: Payload, options?: EnqueueOptions): NewJob
  /** Adds a job; false if there is already one with its key. */
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
  /** Registers a permanent job. `makeJob` is called each time before it is added. */
  makePermanent(makeJob: () => NewJob): void
  /** Adds the permanent jobs that are missing: at the first start, or after a user has cancelled one. */
  enqueuePermanent(): Promise<void>
}

interface JobKindsDeps {
  readonly queue: Pick<JobQueue, 'enqueue'>
  /** Called when a job was added. */
  readonly onAdded: () => void
  readonly now: () => Date
}

export function makeJobKinds({ queue, onAdded, now }: JobKindsDeps): JobKinds {
  const kinds = new Map<string, RegisteredKind>()
  const permanentJobs: (() => NewJob)[] = []

  const handle: JobKinds['handle'] = (kind, handler, policy = {}) => {
    if (kinds.has(kind)) throw new Error(`The job kind "${kind}" already has a handler.`)
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
      const { newJob } = handle(kind, again, {
        attemptsMax: undefined,
        dueWithinMs: everyMs,
        retryDelayMs: (failures, chance) => Math.min(everyMs, retryDelayMs(failures, chance)),
      })
      permanentJobs.push(() => newJob(null, { key: 'scheduled', dueAt: new Date(now().getTime() + everyMs) }))
    },
    makePermanent: (makeJob) => void permanentJobs.push(makeJob),
    enqueuePermanent: async () =>
      void (await queue.enqueue(
        permanentJobs.map((makeJob) => makeJob()),
        now(),
      )),
  }
}
