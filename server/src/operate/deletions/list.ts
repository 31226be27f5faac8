import type { operations } from '@plumbline/contract'
import { nextCursorOf, readPageKey } from '../../requests/cursor.ts'
import type { Verb } from '../../requests/verb.ts'
import { toDeletionView } from './view.ts'

export const list: Verb<typeof operations.deletions.list> = async ({ limit = 50, cursor }, { workspace }) => {
  const after = readPageKey('deletions', cursor)
  const page = await workspace.dataDeletions.list(['traces'], {
    limit,
    ...(after === undefined ? {} : { after }),
  })
  return { deletions: page.items.map(toDeletionView), ...nextCursorOf('deletions', page.next) }
}
