import { type ConversationTurn, type operations, ServiceError } from '@plumbline/contract'
import type { TraceSummary } from '@plumbline/storage/traces'
import type { Verb } from '../../requests/verb.ts'
import { readTurns } from '../../traces/turns.ts'
import { toScore } from '../../traces/view.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { listGroups, startsOf } from '../trace-groups.ts'
import { readSortedPosition, writeSortedPosition } from '../traces/list.ts'
import { toConversation } from './view.ts'

const scoresMax = 1000
const cursorName = 'conversation turns'

export const get: Verb<typeof operations.conversations.get> = async (
  { id, limit = 50, cursor },
  { workspace, caller },
) => {
  const { groups, scoresOf } = await listGroups('session_id', { sessionId: id, limit: 1 }, workspace)
  const [group] = groups
  if (group === undefined) throw new ServiceError('conversation_not_found', { id })
  const [ends, page] = await Promise.all([
    workspace.traces.conversationEnds([id], startsOf(groups)),
    workspace.traces.listSorted(
      { where: [{ field: 'session', is: [id] }] },
      { limit, sort: 'start', isAscending: true, before: readSortedPosition(cursorName, cursor) },
    ),
  ])
  return {
    conversation: toConversation(group, ends.get(id), scoresOf(id)),
    turns: await withScores(page.traces, workspace, caller.id),
    ...(page.next === undefined ? {} : { nextCursor: writeSortedPosition(cursorName, page.next) }),
  }
}

async function withScores(
  rows: readonly TraceSummary[],
  workspace: Pick<Workspace, 'traces'>,
  callerId: string,
): Promise<ConversationTurn[]> {
  const [turns, { scores }] = await Promise.all([
    readTurns(rows, workspace),
    workspace.traces.scores({ traceIds: rows.map(({ traceId }) => traceId) }, { limit: scoresMax }),
  ])
  const scoresByTrace = Map.groupBy(scores.toReversed(), ({ traceId }) => traceId)
  return turns.map((turn) => ({
    ...turn,
    scores: (scoresByTrace.get(turn.traceId) ?? []).map((score) => toScore(score, callerId)),
  }))
}
