/** The jobs of alerts. Each alert is checked when its window ends, only a few at a time, since each queries the trace store. */
import {
  type AlertChecks,
  alertCheckKind,
  alertFiredKind,
  type CheckedAlert,
} from '@plumbline/storage/control'
import type { Logger } from 'pino'
import { type JobContext, JobFailure, type JobResult } from '../../jobs/job.ts'
import type { Jobs } from '../../jobs/jobs.ts'
import { evaluateAlert } from './evaluate-alert.ts'
import type { MeasureSource } from './measurements.ts'
import { nextEvaluation } from './windows.ts'

/** An action of the service when an alert fires. It is called at least once for each firing. */
export type OnFiring = (event: { readonly workspaceId: string; readonly alertId: string }) => Promise<void>

interface CheckDeps {
  readonly checks: AlertChecks
  readonly tracesFor: (workspaceId: string) => MeasureSource
  /** Records that arrived before this time are in the trace store, as far as this node knows. */
  readonly storedUntil: () => Date
  readonly onFiring: readonly OnFiring[]
  readonly logger: Logger
}

const concurrencyMax = 4
const adoptEveryMs = 60_000
const hourMs = 3_600_000
/** Longer than the time between two windows of any rule, including its delay. */
const latestCheckMs = 2 * hourMs
/** How long alert events are kept. */
const eventRetentionMs = 90 * 86_400_000
const problem = 'The trace store did not respond; the alert will be checked again.'

export function handleAlerts(jobs: Jobs, deps: CheckDeps): void {
  const { checks } = deps
  jobs.handle<{ alertId: string }>(
    alertCheckKind,
    async ({ alertId }, context) => {
      const alert = await checks.find(alertId)
      return alert === undefined ? { type: 'done' } : check(alert, context, deps)
    },
    // No delay here: each failure states when the next window ends.
    {
      attemptsMax: undefined,
      concurrency: concurrencyMax,
      retryDelayMs: () => 0,
      dueWithinMs: latestCheckMs,
    },
  )
  jobs.handle<{ alertId: string }>(
    alertFiredKind,
    async ({ alertId }, { workspaceId }) => {
      if (workspaceId === undefined) return
      for (const onFiring of deps.onFiring) await onFiring({ workspaceId, alertId })
    },
    { attemptsMax: undefined },
  )
  jobs.schedule('alerts.adopt', adoptEveryMs, async ({ now }) => {
    await checks.adopt(now)
    jobs.notify()
  })
  jobs.schedule('alerts.expire', hourMs, ({ now }) =>
    checks.deleteEvents(new Date(now.getTime() - eventRetentionMs)),
  )
}

async function check(
  alert: CheckedAlert,
  { now }: JobContext,
  { checks, tracesFor, storedUntil, logger }: CheckDeps,
): Promise<JobResult> {
  try {
    const times = { now, storedUntil: storedUntil() }
    const result = await evaluateAlert(alert, tracesFor(alert.workspaceId), times)
    const counts = await checks.record(alert, result, now)
    // An alert that was changed during its check is due now.
    return { type: 'again', dueAt: counts ? result.nextAt : now }
  } catch (error) {
    logger.warn({ err: error, alertId: alert.id }, 'an alert could not be checked')
    await checks.recordProblem(alert, problem)
    const retryAfterMs = nextEvaluation(alert.rule, now).getTime() - now.getTime()
    throw new JobFailure(problem, { retryAfterMs, cause: error })
  }
}
