import type { operations } from '@plumbline/contract'
import type { JobQueue } from '@plumbline/storage/control'
import { nextCursorOf, readPageKey } from '../../requests/cursor.ts'
import type { Verb } from '../../requests/verb.ts'
import { jobsOf } from './reachable-jobs.ts'
import { toJobView } from './view.ts'

export const list =
  (queue: JobQueue): Verb<typeof operations.jobs.list> =>
  async ({ kind, state, installation, limit = 50, cursor }, context) => {
    const after = readPageKey('jobs', cursor)
    const page = await jobsOf(queue, context, installation).list({
      limit,
      ...(kind === undefined ? {} : { kind }),
      ...(state === undefined ? {} : { state }),
      ...(after === undefined ? {} : { after }),
    })
    return { jobs: page.items.map(toJobView), ...nextCursorOf('jobs', page.next) }
  }
