import { type Input, type Output, usePages } from '../../app/api.ts'

type Answer = Output<'evaluations.list'>

/** While something is under way, so often it is looked at again; else as often as something may have been drawn. */
const busyMs = 2000
const idleMs = 15_000

/** Poll interval of the queue. */
export const refreshMsOf = (answer: Answer | undefined): number =>
  answer !== undefined && answer.counts.waiting + answer.counts.running > 0 ? busyMs : idleMs

/** Evaluations by their pages, with what the first page tells of the whole queue. */
export function useEvaluations(filter: Omit<Input<'evaluations.list'>, 'limit' | 'cursor'>) {
  const query = usePages('evaluations.list', { ...filter, limit: 100 }, 'evaluations', {
    refreshMs: refreshMsOf,
  })
  return { ...query, counts: query.data?.pages[0]?.counts, lanes: query.data?.pages[0]?.waiting }
}
