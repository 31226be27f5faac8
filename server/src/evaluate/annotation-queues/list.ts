import type { operations } from '@plumbline/contract'
import type { Verb } from '../../requests/verb.ts'
import { viewQueue } from './view.ts'

export const list: Verb<typeof operations.annotationQueues.list> = async (_input, context) => {
  const queues = await context.workspace.annotationQueues.list()
  return { queues: await Promise.all(queues.map((queue) => viewQueue(queue, context))) }
}
