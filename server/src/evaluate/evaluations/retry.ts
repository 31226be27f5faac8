import type { operations } from '@plumbline/contract'
import type { Verb } from '../../requests/verb.ts'
import { deadlineMs } from './retry-policy.ts'

/** `notify` tells the poller that evaluations are due. */
export const makeRetry =
  (notify: () => void): Verb<typeof operations.evaluations.retry> =>
  async ({ ids, evaluatorSlug }, { workspace, now }) => {
    const selection = { ids: ids?.map((id) => id.toLowerCase()), evaluatorSlug: evaluatorSlug ?? undefined }
    const deadlineAt = new Date(now.getTime() + deadlineMs)
    const retried = await workspace.evaluations.retry(selection, { now, deadlineAt })
    if (retried > 0) notify()
    return { retried }
  }
