import type { operations } from '@plumbline/contract'
import { mapStorageErrors } from '../../requests/map-storage-errors.ts'
import type { Verb } from '../../requests/verb.ts'
import { checkEvaluators } from './check-evaluators.ts'
import { writeFeed } from './feed.ts'
import { findQueue, viewQueue } from './view.ts'

export const update: Verb<typeof operations.annotationQueues.update> = async ({ id, ...input }, context) => {
  const { workspace, now } = context
  const { evaluatorSlugs } = input
  const before = await findQueue(id, workspace)
  // An unchanged list may name deleted evaluators.
  if (evaluatorSlugs !== undefined && evaluatorSlugs.join() !== before.evaluatorSlugs.join())
    await checkEvaluators(evaluatorSlugs, workspace)
  const change = {
    ...input,
    evaluatorSlugs: evaluatorSlugs === undefined ? undefined : [...evaluatorSlugs],
    feed: input.feed == null ? input.feed : writeFeed(input.feed, now, before.feed),
  }
  return {
    queue: await viewQueue(
      await mapStorageErrors(workspace.annotationQueues.update(id, change, now)),
      context,
    ),
  }
}
