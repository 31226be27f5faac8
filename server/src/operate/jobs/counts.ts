import type { JobCounts, operations } from '@plumbline/contract'
import type { JobCount, JobQueue, OtherQueueCounts } from '@plumbline/storage/control'
import type { Verb } from '../../requests/verb.ts'
import { jobsOf } from './reachable-jobs.ts'

export const counts =
  (queue: JobQueue): Verb<typeof operations.jobs.counts> =>
  async ({ installation }, context) => {
    const jobs = jobsOf(queue, context, installation)
    const [counted, others] = await Promise.all([jobs.counts(), jobs.otherCounts()])
    const listed = [...Map.groupBy(counted, ({ kind }) => kind)].map(([kind, all]) => countsOf(kind, all))
    const kinds = [...listed, ...others.map(toCounts)].toSorted((a, b) => (a.kind < b.kind ? -1 : 1))
    return { kinds }
  }

function countsOf(kind: string, jobCounts: readonly JobCount[]): JobCounts {
  const countOf = (state: JobCount['state']): number =>
    jobCounts.find((each) => each.state === state)?.count ?? 0
  const waiting = jobCounts.find(({ state }) => state === 'waiting')
  return {
    kind,
    isListed: true,
    waiting: waiting?.count ?? 0,
    running: countOf('running'),
    failed: countOf('failed'),
    done: countOf('done'),
    ...(waiting === undefined ? {} : { waitingSince: waiting.dueAt.toISOString() }),
  }
}

const toCounts = ({ waitingSince, ...counts }: OtherQueueCounts): JobCounts => ({
  ...counts,
  isListed: false,
  ...(waitingSince === undefined ? {} : { waitingSince: waitingSince.toISOString() }),
})
