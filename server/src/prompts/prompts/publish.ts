import { invalid, latestTag, type operations, ServiceError } from '@plumbline/contract'
import { NotFound } from '@plumbline/storage/control'
import { mapStorageErrors } from '../../requests/map-storage-errors.ts'
import type { Verb } from '../../requests/verb.ts'
import { describeVersionQuery } from '../../workspace/choose-version.ts'

/** Moves a tag: applications that request it get the version from now on. */
export const publish: Verb<typeof operations.prompts.publish> = async (input, { workspace, caller, now }) => {
  const { slug, newTag } = input
  const version = input.version || undefined
  const tag = input.tag || undefined
  if (newTag === latestTag)
    throw invalid('newTag', `must not be "${latestTag}", which the service moves automatically`)
  const source = version !== undefined ? { version } : tag !== undefined ? { tag } : undefined
  if (source === undefined)
    throw invalid('version', 'is required, or tag, to say which version gets the new tag')
  try {
    const { id, label } = await mapStorageErrors(
      workspace.promptTags.publish({ slug, newTag, movedBy: caller.id, ...source }, now),
    )
    return { deploymentTag: { id, label } }
  } catch (error) {
    if (!(error instanceof NotFound)) throw error
    throw new ServiceError(
      'version_not_found',
      { slug, selector: describeVersionQuery(source) },
      { cause: error },
    )
  }
}
