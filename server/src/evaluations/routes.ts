import { operations } from '@plumbline/contract'
import type { EvaluationQueue } from '@plumbline/storage/control'
import { type Route, route } from '../verb.ts'
import { makeCreate } from './create.ts'
import { list } from './list.ts'
import { makeRetry } from './retry.ts'

/** `wake` says that something is due. */
export const evaluationRoutes = (queue: EvaluationQueue, wake: () => void): Route[] => [
  route(operations.evaluations.list, list),
  route(operations.evaluations.create, makeCreate(queue, wake)),
  route(operations.evaluations.retry, makeRetry(wake)),
]
