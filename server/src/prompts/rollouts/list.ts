import type { operations } from '@plumbline/contract'
import { nextCursorOf, readPageKey } from '../../requests/cursor.ts'
import type { Verb } from '../../requests/verb.ts'
import { toRollouts } from './view.ts'

const defaultLimit = 50

export const list: Verb<typeof operations.rollouts.list> = async (
  { promptSlug, status, limit = defaultLimit, cursor },
  { workspace },
) => {
  const after = readPageKey('rollouts', cursor)
  const page = await workspace.rollouts.list({
    promptSlug: promptSlug ?? null,
    status: status ?? null,
    limit,
    after,
  })
  return { rollouts: await toRollouts(page.items, workspace), ...nextCursorOf('rollouts', page.next) }
}
