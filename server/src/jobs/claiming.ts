/** Claims due jobs, within the limits of their kinds. */
import type { Job, JobQueue } from '@plumbline/storage/control'
import type { CircuitBreakers } from './circuit-breaker.ts'
import type { JobPolicy, RegisteredKind } from './job.ts'
import { leaseMs, type RunningJobs } from './running-jobs.ts'

interface ClaimingDeps {
  readonly queue: JobQueue
  readonly leaseOwner: string
  readonly kinds: ReadonlyMap<string, RegisteredKind>
  readonly runningJobs: RunningJobs
  readonly breakers: CircuitBreakers
  readonly isStopped: () => boolean
  readonly now: () => Date
}

const concurrencyByDefault = 4

/** Returns a function that claims and starts all jobs that may run now. */
export function makeClaiming(deps: ClaimingDeps): () => Promise<void> {
  const { queue, leaseOwner, kinds, runningJobs, breakers, isStopped, now } = deps

  const closedGroups = (jobs: readonly Job[], policy: JobPolicy, nowMs: number): string[] => {
    const counts = Map.groupBy(jobs, (job) => job.concurrencyGroup)
    const full = [...counts].filter(
      ([group, jobs]) =>
        group !== '' && jobs.length >= (policy.concurrencyPerGroup ?? Number.POSITIVE_INFINITY),
    )
    return [...full.map(([group]) => group), ...breakers.closedGroups(nowMs, (group) => counts.has(group))]
  }

  /** Claims what the limits allow; false if there is nothing more to claim. */
  const claimSome = async (kind: string, registration: RegisteredKind): Promise<boolean> => {
    const { policy } = registration
    const jobs = runningJobs.ofKind(kind)
    const free = (policy.concurrency ?? concurrencyByDefault) - jobs.length
    if (free <= 0) return false
    const time = now()
    const isGrouped = policy.concurrencyPerGroup !== undefined || policy.breaker !== undefined
    const claimed = await queue.claim({
      kind,
      leaseOwner,
      leaseExpiresAt: new Date(time.getTime() + leaseMs),
      // Claiming several at once could exceed the limit of their group.
      limit: isGrouped ? 1 : free,
      closedGroups: closedGroups(jobs, policy, time.getTime()),
      now: time,
    })
    for (const job of claimed) runningJobs.begin(job, registration)
    return claimed.length > 0
  }

  /** Claims run one after another, since each depends on what is running. */
  let claiming: Promise<void> = Promise.resolve()
  return (): Promise<void> => {
    const claimed = claiming.then(async () => {
      const dueAt = await queue.nextDueAt()
      if (dueAt === undefined || dueAt > now()) return
      for (const [kind, registered] of kinds) while (!isStopped() && (await claimSome(kind, registered)));
    })
    claiming = claimed.catch(() => undefined)
    return claimed
  }
}
