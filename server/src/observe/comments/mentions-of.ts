import { invalid } from '@plumbline/contract'
import type { Workspace } from '../../workspace/workspace.ts'

/** The mentioned members, each once; throws `invalid_request` for a user who is not in the workspace. */
export async function mentionsOf(
  ids: readonly string[],
  { members }: Pick<Workspace, 'members'>,
): Promise<string[]> {
  if (ids.length === 0) return []
  const memberIds = new Set((await members.list()).map(({ id }) => id))
  const index = ids.findIndex((id) => !memberIds.has(id))
  if (index >= 0) throw invalid(`mentions[${index}]`, 'is not a member of the workspace')
  return [...new Set(ids)]
}
