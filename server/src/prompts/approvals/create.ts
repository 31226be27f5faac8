import { invalid, type operations, ServiceError } from '@plumbline/contract'
import { NotFound } from '@plumbline/storage/control'
import { mapStorageErrors } from '../../requests/map-storage-errors.ts'
import type { Verb } from '../../requests/verb.ts'
import { toApprovals } from './view.ts'

/** Requests the move of a protected tag. Those who may approve it see the request at the prompt. */
export const create: Verb<typeof operations.approvals.create> = async (input, { workspace, caller, now }) => {
  const { promptSlug, tag, version } = input
  const request = { promptSlug, tag, version, message: input.message ?? '', requestedBy: caller.id }
  try {
    const created = await mapStorageErrors(workspace.approvals.create(request, now))
    if (created === undefined) throw invalid('tag', 'is not protected: move it with prompts.publish')
    const [approval] = await toApprovals([created], workspace)
    return { approval: approval! }
  } catch (error) {
    if (!(error instanceof NotFound)) throw error
    const selector = `version "${version}"`
    throw new ServiceError('version_not_found', { slug: promptSlug, selector }, { cause: error })
  }
}
