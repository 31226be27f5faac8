/**
 * Spares what fails: after some failures in a row the breaker of a concurrency group opens, and no job of the group is
 * claimed; after a pause it is half-open, and one job is tried. Each node has its own breakers: they forget with it.
 */
import type { BreakerPolicy } from './job.ts'

export interface CircuitBreakers {
  succeeded(group: string): void
  failed(group: string, policy: BreakerPolicy, nowMs: number): void
  /** Groups of which none may be claimed; `isBusy` tells whether one of a half-open group is being tried. */
  closedGroups(nowMs: number, isBusy: (group: string) => boolean): string[]
}

export function makeCircuitBreakers(): CircuitBreakers {
  const failures = new Map<string, { count: number; openUntilMs: number }>()
  return {
    succeeded: (group) => void failures.delete(group),
    failed(group, { failuresMax, openMs }, nowMs) {
      const count = (failures.get(group)?.count ?? 0) + 1
      // One failure while it is half-open opens it again.
      failures.set(group, { count, openUntilMs: count >= failuresMax ? nowMs + openMs : 0 })
    },
    closedGroups: (nowMs, isBusy) =>
      [...failures]
        .filter(([group, { openUntilMs }]) => openUntilMs > 0 && (openUntilMs > nowMs || isBusy(group)))
        .map(([group]) => group),
  }
}
