/** Reads the turns of a session for an evaluator. */
import type { TraceSummary } from '@plumbline/storage/traces'
import { readTurns } from '../../traces/turns.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { type Subject, subjectOfSession } from './rules/subject.ts'

/** Of a longer conversation, only the last turns are judged. */
const turnsMax = 100

export interface SessionSubject {
  readonly subject: Subject
  /** The last trace. */
  readonly last: TraceSummary
}

/** The turns up to a trace, or all if the trace is not among the last ones; undefined if no trace of the session is stored. */
export async function readSession(
  workspace: Pick<Workspace, 'traces'>,
  sessionId: string,
  lastTraceId?: string,
): Promise<SessionSubject | undefined> {
  const { traces: latestFirst } = await workspace.traces.listSorted(
    { where: [{ field: 'session', is: [sessionId] }] },
    { limit: turnsMax, sort: 'start', isAscending: false },
  )
  const index = latestFirst.findIndex(({ traceId }) => traceId === lastTraceId)
  const rows = latestFirst.slice(Math.max(0, index)).toReversed()
  const last = rows.at(-1)
  return last && { subject: subjectOfSession(await readTurns(rows, workspace)), last }
}
