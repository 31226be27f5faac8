import type { operations } from '@plumbline/contract'
import type { JobQueue } from '@plumbline/storage/control'
import type { Verb } from '../../requests/verb.ts'
import { findReachable } from './reachable-jobs.ts'
import { toJobView } from './view.ts'

export const cancel =
  (queue: JobQueue): Verb<typeof operations.jobs.cancel> =>
  async ({ id }, context) => {
    const { job, jobs } = await findReachable(queue, context, id)
    const cancelled = await jobs.cancel(id, context.now)
    return { job: toJobView((await jobs.find(id)) ?? job), cancelled }
  }
