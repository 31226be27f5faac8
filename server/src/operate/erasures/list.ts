import { type operations, subjectTypes } from '@plumbline/contract'
import { nextCursorOf, readPageKey } from '../../requests/cursor.ts'
import type { Verb } from '../../requests/verb.ts'
import { toErasure } from './view.ts'

export const list: Verb<typeof operations.erasures.list> = async ({ limit = 50, cursor }, { workspace }) => {
  const after = readPageKey('erasures', cursor)
  const page = await workspace.dataDeletions.list(subjectTypes, {
    limit,
    ...(after === undefined ? {} : { after }),
  })
  return { erasures: page.items.map(toErasure), ...nextCursorOf('erasures', page.next) }
}
