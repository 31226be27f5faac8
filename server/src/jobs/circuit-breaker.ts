/**
 * Pauses work that keeps failing: after several consecutive failures the breaker of a concurrency group opens, and none of
 * its jobs is claimed. After a pause it is half-open, and one job is tried. Each node has its own breakers, which are lost
 * when it stops.
 */
import type { BreakerPolicy } from './job.ts'

export interface CircuitBreakers {
  succeeded(group: string): void
  failed(group: string, policy: BreakerPolicy, nowMs: number): void
  /** Groups whose jobs must not be claimed; `isBusy` returns whether a job of a half-open group is being tried. */
  closedGroups(nowMs: number, isBusy: (group: string) => boolean): string[]
}

export function makeCircuitBreakers(): CircuitBreakers {
  const failures = new Map<string, { count: number; openUntilMs: number }>()
  return {
    succeeded: (group) => void failures.delete(group),
    failed(group, { failuresMax, openMs }, nowMs) {
      const count = (failures.get(group)?.count ?? 0) + 1
      // While it is half-open, one failure opens it again.
      failures.set(group, { count, openUntilMs: count >= failuresMax ? nowMs + openMs : 0 })
    },
    closedGroups: (nowMs, isBusy) =>
      [...failures]
        .filter(([group, { openUntilMs }]) => openUntilMs > 0 && (openUntilMs > nowMs || isBusy(group)))
        .map(([group]) => group),
  }
}
