import { type operations, ServiceError } from '@plumbline/contract'
import { mapStorageErrors } from '../../requests/map-storage-errors.ts'
import type { Verb } from '../../requests/verb.ts'
import { toVersions } from './view.ts'

export const get: Verb<typeof operations.versions.get> = async ({ slug, version }, { workspace }) => {
  const promptVersion = await mapStorageErrors(workspace.promptVersions.find(slug, version))
  if (promptVersion === undefined)
    throw new ServiceError('version_not_found', { slug, selector: `version "${version}"` })
  const [versionView] = await toVersions(workspace, [promptVersion])
  return { version: versionView! }
}
