/** The jobs that run on this node, and their leases. */
import type { Job, JobQueue } from '@plumbline/storage/control'
import { type AttemptDeps, attemptJob } from './attempt-job.ts'
import type { RegisteredKind } from './job.ts'

export const leaseMs = 60_000

export interface RunningJobs {
  readonly size: number
  /** Starts a job that this node has claimed. */
  begin(job: Job, kind: RegisteredKind): void
  ofKind(kind: string): readonly Job[]
  /** Renews the leases, and aborts jobs that this node no longer owns. */
  renew(): Promise<void>
  abort(): void
  /** Resolves once all jobs that are running now have ended. */
  ended(): Promise<void>
}

interface RunningJobsDeps extends AttemptDeps {
  readonly queue: JobQueue
  /** Called when a job has ended, so that another can be claimed. */
  readonly onEnded: () => void
}

export function makeRunningJobs({ onEnded, ...deps }: RunningJobsDeps): RunningJobs {
  const { queue, leaseOwner, logger, now } = deps
  const running = new Map<string, { job: Job; abort: AbortController; completion: Promise<void> }>()
  return {
    get size() {
      return running.size
    },
    begin(job, kind) {
      const abort = new AbortController()
      const completion = attemptJob(deps, job, kind, abort)
        .catch((error: unknown) =>
          // The job is reclaimed when its lease expires.
          logger.warn(
            { err: error, jobId: job.id, kind: job.kind },
            'the result of a job could not be recorded',
          ),
        )
        .finally(() => {
          running.delete(job.id)
          onEnded()
        })
      running.set(job.id, { job, abort, completion })
    },
    ofKind: (kind) => [...running.values()].map(({ job }) => job).filter((job) => job.kind === kind),
    async renew() {
      const ids = [...running.keys()]
      if (ids.length === 0) return
      const owned = new Set(await queue.renew(ids, leaseOwner, new Date(now().getTime() + leaseMs)))
      for (const id of ids) if (!owned.has(id)) running.get(id)?.abort.abort()
    },
    abort() {
      for (const { abort } of running.values()) abort.abort()
    },
    async ended() {
      await Promise.all([...running.values()].map(({ completion }) => completion))
    },
  }
}
