import type { operations } from '@plumbline/contract'
import type { Verb } from '../../requests/verb.ts'
import { listGroups } from '../trace-groups.ts'
import { toConversation } from './view.ts'

export const list: Verb<typeof operations.conversations.list> = async (query, { workspace }) => {
  const { groups, starts, scoresOf, next } = await listGroups('session_id', query, workspace)
  const ends = await workspace.traces.conversationEnds(
    groups.map(({ id }) => id),
    starts,
  )
  return {
    conversations: groups.map((group) => toConversation(group, ends.get(group.id), scoresOf(group.id))),
    ...next,
  }
}
