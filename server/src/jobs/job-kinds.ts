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
  /** Registers a job that is always there. Called before each time that it is added. */
  makePermanent(makeJob: () => NewJob): void
  /** Adds the jobs that are always there, where they are not: at the first start, or since somebody cancelled them. */
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
