import type { operations } from '@plumbline/contract'
import type { JobQueue } from '@plumbline/storage/control'
import type { Verb } from '../../requests/verb.ts'
import { findReachable } from './reachable-jobs.ts'
import { toJobView } from './view.ts'

/** `notify` wakes the runner, so that the job need not wait for its next poll. */
export const retry =
  (queue: JobQueue, notify: () => void): Verb<typeof operations.jobs.retry> =>
  async ({ id }, context) => {
    const { job, jobs } = await findReachable(queue, context, id)
    const retried = await jobs.retry(id, context.now)
    if (retried) notify()
    return { job: toJobView((await jobs.find(id)) ?? job), retried }
  }
