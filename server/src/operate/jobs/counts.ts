import type { JobCounts, operations } from '@plumbline/contract'
import type { JobCount, JobQueue } from '@plumbline/storage/control'
import type { Verb } from '../../requests/verb.ts'
import { jobsOf } from './reachable-jobs.ts'

export const counts =
  (queue: JobQueue): Verb<typeof operations.jobs.counts> =>
  async ({ installation }, context) => {
    const counted = await jobsOf(queue, context, installation).counts()
    return { kinds: [...Map.groupBy(counted, ({ kind }) => kind)].map(([kind, all]) => countsOf(kind, all)) }
  }

function countsOf(kind: string, counted: readonly JobCount[]): JobCounts {
  const countOf = (state: JobCount['state']): number =>
    counted.find((each) => each.state === state)?.count ?? 0
  const waiting = counted.find(({ state }) => state === 'waiting')
  return {
    kind,
    waiting: waiting?.count ?? 0,
    running: countOf('running'),
    failed: countOf('failed'),
    done: countOf('done'),
    ...(waiting === undefined ? {} : { waitingSince: waiting.dueAt.toISOString() }),
  }
}
