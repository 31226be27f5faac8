import type { operations } from '@plumbline/contract'
import { nextCursorOf, readPageKey } from '../../requests/cursor.ts'
import { mapStorageErrors } from '../../requests/map-storage-errors.ts'
import type { Verb } from '../../requests/verb.ts'
import { toVersions } from './view.ts'

export const list: Verb<typeof operations.versions.list> = async (
  { slug, limit = 100, cursor },
  { workspace },
) => {
  const after = readPageKey('versions', cursor)
  const page = await mapStorageErrors(workspace.promptVersions.list({ slug, limit, after }))
  return { versions: await toVersions(workspace, page.items), ...nextCursorOf('versions', page.next) }
}
