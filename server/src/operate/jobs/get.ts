import type { operations } from '@plumbline/contract'
import type { JobQueue } from '@plumbline/storage/control'
import type { Verb } from '../../requests/verb.ts'
import { findReachable } from './reachable-jobs.ts'
import { toJobView } from './view.ts'

export const get =
  (queue: JobQueue): Verb<typeof operations.jobs.get> =>
  async ({ id }, context) => ({ job: toJobView((await findReachable(queue, context, id)).job) })
