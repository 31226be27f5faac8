/** The nightly retention run. Its time is stored with the job, so that a missed night is made up at the next start. */
import type { JobHandler } from '../../jobs/job.ts'
import type { Jobs } from '../../jobs/jobs.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { expireRest } from './expire-rest.ts'
import { type ExpireDeps, expireTraces } from './expire-traces.ts'
import { type ClockTime, nextNight } from './next-night.ts'

/** A day on which clocks are set back has 25 hours. */
const longestNightMs = 25 * 3_600_000

interface NightDeps extends Omit<ExpireDeps, 'signal'> {
  readonly jobs: Pick<Jobs, 'handle' | 'makePermanent'>
  readonly time: ClockTime
  readonly workspaceOf: (workspaceId: string) => Workspace
  readonly now: () => Date
}

export function scheduleNight({ jobs, time, workspaceOf, now, ...deps }: NightDeps): void {
  const run: JobHandler<null> = async (_payload, { signal }) => {
    const startedAt = now()
    const unavailable = await expireTraces({ ...deps, signal }, startedAt)
    for (const workspaceId of (await deps.control.revisions()).keys()) {
      if (signal.aborted) break
      const workspace = workspaceOf(workspaceId)
      await expireRest(workspace, await workspace.retention.find(), startedAt)
    }
    if (unavailable !== undefined) throw unavailable
    // A run that a stop interrupted continues at the next start.
    return { type: 'again', dueAt: signal.aborted ? startedAt : nextNight(now(), time) }
  }
  const night = jobs.handle('retention.run', run, {
    attemptsMax: undefined,
    concurrency: 1,
    dueWithinMs: longestNightMs,
  })
  jobs.makePermanent(() => night.newJob(null, { key: 'nightly', dueAt: nextNight(now(), time) }))
}
