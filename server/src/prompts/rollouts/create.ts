import { invalid, latestTag, type operations, productionTag, ServiceError } from '@plumbline/contract'
import { NotFound, TagIsThere } from '@plumbline/storage/control'
import { mapConflict } from '../../requests/map-storage-errors.ts'
import type { Verb } from '../../requests/verb.ts'
import { describeVersionQuery } from '../../workspace/choose-version.ts'
import { answerOf } from './view.ts'

/** Starts serving a version to a share of the requests for a tag. */
export const create: Verb<typeof operations.rollouts.create> = async (input, { workspace, caller, now }) => {
  const { promptSlug, candidateVersion, share } = input
  const tag = input.tag || productionTag
  if (tag === latestTag)
    throw invalid('tag', `must not be "${latestTag}", which the service moves automatically`)
  const rollout = {
    promptSlug,
    tag,
    candidateVersion,
    share,
    alertIds: input.alertIds ?? [],
    startedBy: caller.id,
  }
  try {
    const created = workspace.rollouts.create(rollout, now)
    return await answerOf(await mapConflict('rollout of the tag', tag, created), workspace)
  } catch (error) {
    if (error instanceof TagIsThere)
      throw invalid('candidateVersion', `must not be the version that already has the tag "${tag}"`)
    if (!(error instanceof NotFound)) throw error
    const request = error.what === 'promptTag' ? { tag } : { version: candidateVersion }
    throw new ServiceError(
      'version_not_found',
      { slug: promptSlug, selector: describeVersionQuery(request) },
      { cause: error },
    )
  }
}
