import type { operations } from '@plumbline/contract'
import { mapStorageErrors } from '../../requests/map-storage-errors.ts'
import type { Verb } from '../../requests/verb.ts'
import { deadlineMs } from '../evaluations/retry-policy.ts'
import { viewRun } from './shown-run.ts'

/** `notify` tells the poller that cases are due. */
export const makeRetry =
  (notify: () => void): Verb<typeof operations.experimentRuns.retry> =>
  async ({ id, spendMax }, { workspace, now }) => {
    const times = { now, deadlineAt: new Date(now.getTime() + deadlineMs) }
    const retrying = workspace.experimentRuns.retry({ id, spendMax: spendMax ?? undefined }, times)
    const retried = await mapStorageErrors(retrying)
    if (retried > 0) notify()
    return { run: await viewRun(workspace, id, now), retried }
  }
