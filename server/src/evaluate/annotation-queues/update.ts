import type { operations } from '@plumbline/contract'
import { mapStorageErrors } from '../../requests/map-storage-errors.ts'
import type { Verb } from '../../requests/verb.ts'
import { checkEvaluators } from './check-evaluators.ts'
import { writeFeed } from './feed.ts'
import { findQueue, viewQueue } from './view.ts'

export const update: Verb<typeof operations.annotationQueues.update> = async ({ id, ...input }, context) => {
  const { workspace, now } = context
  const { evaluatorSlugs } = input
  // An unchanged list may name deleted evaluators.
  if (
    evaluatorSlugs !== undefined &&
    evaluatorSlugs.join() !== (await findQueue(id, workspace)).evaluatorSlugs.join()
  )
    await checkEvaluators(evaluatorSlugs, workspace)
  const { feed } = input
  const change = {
    ...input,
    evaluatorSlugs: evaluatorSlugs === undefined ? undefined : [...evaluatorSlugs],
    feed: feed == null ? feed : (previous: string | undefined) => writeFeed(feed, now, previous),
  }
  return {
    queue: await viewQueue(
      await mapStorageErrors(workspace.annotationQueues.update(id, change, now)),
      context,
    ),
  }
}
