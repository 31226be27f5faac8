import { type ConversationTurn, type operations, ServiceError } from '@plumbline/contract'
import type { TraceSummary, TurnTexts } from '@plumbline/storage/traces'
import type { Verb } from '../../requests/verb.ts'
import { toScore, toTraceSummary } from '../../traces/view.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { listGroups } from '../trace-groups.ts'
import { readSortedPosition, writeSortedPosition } from '../traces/list.ts'
import { toConversation } from './view.ts'

/** Of each text of a turn: a page of fifty turns stays a few megabytes. */
const charactersMax = 40_000
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
    workspace.traces.conversationEnds([id]),
    workspace.traces.listSorted(
      { where: [{ field: 'session', is: [id] }] },
      { limit, sort: 'start', isAscending: true, before: readSortedPosition(cursorName, cursor) },
    ),
  ])
  return {
    conversation: toConversation(group, ends.get(id), scoresOf(id)),
    turns: await readTurns(page.traces, workspace, caller.id),
    ...(page.next === undefined ? {} : { nextCursor: writeSortedPosition(cursorName, page.next) }),
  }
}

async function readTurns(
  rows: readonly TraceSummary[],
  { traces }: Pick<Workspace, 'traces'>,
  callerId: string,
): Promise<ConversationTurn[]> {
  const [texts, errors, { scores }] = await Promise.all([
    traces.turnTexts(rows, charactersMax),
    traces.firstErrors(rows.filter((row) => row.errors > 0)),
    traces.scores({ traceIds: rows.map(({ traceId }) => traceId) }, { limit: scoresMax }),
  ])
  const scoresByTrace = Map.groupBy(scores.toReversed(), ({ traceId }) => traceId)
  return rows.map((row) => {
    const { id, name, startTime, error, totals } = toTraceSummary(row, errors.get(row.traceId))
    return {
      traceId: id,
      name,
      startTime,
      ...textsOf(texts.get(row.traceId)),
      error,
      totals,
      scores: (scoresByTrace.get(row.traceId) ?? []).map((score) => toScore(score, callerId)),
    }
  })
}

/** JSON is parsed again; what is cut off stays text. */
function textsOf(texts: TurnTexts | undefined): Pick<ConversationTurn, 'input' | 'output' | 'isShortened'> {
  const { input = null, output = null } = texts ?? {}
  return { input: readText(input), output: readText(output), isShortened: texts?.isShortened === true }
}

function readText(json: string | null): unknown {
  if (json === null) return null
  try {
    return JSON.parse(json)
  } catch {
    // Cut off: no JSON any more.
    return json
  }
}
