import type { operations } from '@plumbline/contract'
import { nextCursorOf, readPageKey } from '../../requests/cursor.ts'
import { mapStorageErrors } from '../../requests/map-storage-errors.ts'
import type { Verb } from '../../requests/verb.ts'
import { toVersions } from './view.ts'

export const list: Verb<typeof operations.datasetVersions.list> = async (
  { slug, version, limit = 50, cursor },
  { workspace },
) => {
  const after = readPageKey('datasetVersions', cursor)
  const page = await mapStorageErrors(workspace.datasetVersions.list({ slug, version, limit, after }))
  return {
    versions: await toVersions(page.items, workspace),
    hasChanges: await mapStorageErrors(workspace.datasetVersions.hasChanges(slug)),
    ...nextCursorOf('datasetVersions', page.next),
  }
}
