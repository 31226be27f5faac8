import { operations } from '@plumbline/contract'
import type { EvaluationQueue } from '@plumbline/storage/control'
import { type Route, route } from '../../requests/verb.ts'
import { makeCreate } from './create.ts'
import { list } from './list.ts'
import { makeRetry } from './retry.ts'

/** `notify` tells the poller that evaluations are due. */
export const evaluationRoutes = (queue: EvaluationQueue, notify: () => void): Route[] => [
  route(operations.evaluations.list, list),
  route(operations.evaluations.create, makeCreate(queue, notify)),
  route(operations.evaluations.retry, makeRetry(notify)),
]
