import type { operations } from '@plumbline/contract'
import type { Verb } from '../../requests/verb.ts'
import { toQueueView } from './view.ts'

const noProgress = { items: 0, done: 0, judged: 0, skipped: 0, left: 0 }

export const list: Verb<typeof operations.annotationQueues.list> = async (_input, { workspace, caller }) => {
  const queues = await workspace.annotationQueues.list()
  const progress = await workspace.annotationQueues.progressOfAll(caller.id)
  return { queues: queues.map((queue) => toQueueView(queue, progress.get(queue.id) ?? noProgress)) }
}
