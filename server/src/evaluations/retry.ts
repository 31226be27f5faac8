import type { operations } from '@plumbline/contract'
import type { Verb } from '../verb.ts'
import { deadlineMs } from './pace.ts'

/** `wake` says that something is due. */
export const makeRetry =
  (wake: () => void): Verb<typeof operations.evaluations.retry> =>
  async ({ ids, evaluatorSlug }, { workspace, now }) => {
    const of = { ids: ids?.map((id) => id.toLowerCase()), evaluatorSlug: evaluatorSlug ?? undefined }
    const deadlineAt = new Date(now.getTime() + deadlineMs)
    const retried = await workspace.evaluations.retry(of, { now, deadlineAt })
    if (retried > 0) wake()
    return { retried }
  }
