import type { operations } from '@plumbline/contract'
import type { Verb } from '../../requests/verb.ts'
import { groupFields, listGroups, organizationOf } from '../trace-groups.ts'

export const list: Verb<typeof operations.users.list> = async (query, { workspace }) => {
  const { groups, scoresOf, next } = await listGroups('user_id', query, workspace)
  const users = groups.map((group) => ({
    id: group.id,
    name: group.userName ?? '',
    organization: organizationOf(group),
    sessions: group.sessions ?? 0,
    ...groupFields(group, scoresOf(group.id)),
  }))
  return { users, ...next }
}
