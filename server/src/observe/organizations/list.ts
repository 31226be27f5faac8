import type { operations } from '@plumbline/contract'
import type { Verb } from '../../requests/verb.ts'
import { groupFields, listGroups } from '../trace-groups.ts'

export const list: Verb<typeof operations.organizations.list> = async (query, { workspace }) => {
  const { groups, scoresOf, next } = await listGroups('organization_id', query, workspace)
  const organizations = groups.map((group) => ({
    id: group.id,
    name: group.organizationName ?? '',
    users: group.users ?? 0,
    sessions: group.sessions ?? 0,
    ...groupFields(group, scoresOf(group.id)),
  }))
  return { organizations, ...next }
}
