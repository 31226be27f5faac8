import type { operations } from '@plumbline/contract'
import type { Verb } from '../../requests/verb.ts'
import { checkEvaluators } from './check-evaluators.ts'
import { writeFeed } from './feed.ts'
import { viewQueue } from './view.ts'

export const create: Verb<typeof operations.annotationQueues.create> = async (input, context) => {
  const { workspace, now } = context
  const { name, evaluatorSlugs, feed } = input
  await checkEvaluators(evaluatorSlugs, workspace)
  const queue = await workspace.annotationQueues.create(
    {
      name,
      instructions: input.instructions ?? '',
      evaluatorSlugs: [...evaluatorSlugs],
      annotatorsPerItem: input.annotatorsPerItem ?? 1,
      feed: feed == null ? undefined : writeFeed(feed, now),
    },
    now,
  )
  return { queue: await viewQueue(queue, context) }
}
