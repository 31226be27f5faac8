import type { operations } from '@plumbline/contract'
import { deadlineMs } from '../evaluations/pace.ts'
import { mapStorageErrors } from '../map-storage-errors.ts'
import type { Verb } from '../verb.ts'
import { shownRun } from './shown-run.ts'

/** `wake` says that something is due. */
export const makeRetry =
  (wake: () => void): Verb<typeof operations.experimentRuns.retry> =>
  async ({ id, spendMax }, { workspace, now }) => {
    const times = { now, deadlineAt: new Date(now.getTime() + deadlineMs) }
    const retrying = workspace.experimentRuns.retry({ id, spendMax: spendMax ?? undefined }, times)
    const retried = await mapStorageErrors(retrying)
    if (retried > 0) wake()
    return { run: await shownRun(workspace, id, now), retried }
  }
