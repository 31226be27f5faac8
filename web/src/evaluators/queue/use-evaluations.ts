import { type Input, type Output, usePages } from '../../app/api.ts'

type Answer = Output<'evaluations.list'>

/** The poll interval: short while an evaluation runs, else long enough for sampling to add some. */
const busyMs = 2000
const idleMs = 15_000

/** Poll interval of the queue. */
export const refreshMsOf = (answer: Answer | undefined): number =>
  answer !== undefined && answer.counts.waiting + answer.counts.running > 0 ? busyMs : idleMs

/** Evaluations by their pages, with the counts of the whole queue from the first page. */
export function useEvaluations(filter: Omit<Input<'evaluations.list'>, 'limit' | 'cursor'>) {
  const query = usePages('evaluations.list', { ...filter, limit: 100 }, 'evaluations', {
    refreshMs: refreshMsOf,
  })
  return { ...query, counts: query.data?.pages[0]?.counts, groups: query.data?.pages[0]?.waiting }
}
