import type { operations } from '@plumbline/contract'
import { nextCursorOf, readPageKey } from '../../requests/cursor.ts'
import type { Verb } from '../../requests/verb.ts'
import { toEvaluation } from './view.ts'

const dayMs = 86_400_000

/** Evaluations, with counts of all and the reasons why some wait. */
export const list: Verb<typeof operations.evaluations.list> = async (
  { status, evaluatorSlug, traceId, limit = 50, cursor },
  { workspace, now },
) => {
  const midnight = new Date(Math.floor(now.getTime() / dayMs) * dayMs)
  const after = readPageKey('evaluations', cursor)
  const statuses = status === 'running' ? (['running', 'judged'] as const) : status && [status]
  const filters = {
    ...(statuses === undefined ? {} : { statuses }),
    evaluatorSlug,
    traceId: traceId?.toLowerCase(),
  }
  const page = { limit, ...(after === undefined ? {} : { after }) }
  const { items, next } = await workspace.evaluations.list(filters, page)
  const counts = await workspace.evaluations.counts(midnight)
  const groups = await workspace.evaluations.groups(now)
  return {
    evaluations: items.map(toEvaluation),
    counts: {
      waiting: counts.waiting,
      running: counts.running,
      failed: counts.failed,
      doneToday: counts.doneSince,
      skippedToday: counts.skippedSince,
      costToday: counts.costSince,
      waitingSince: counts.waitingSince?.toISOString() ?? null,
    },
    waiting: groups.map(({ target: modelRef, isCode, waiting, problem, until }) => ({
      judge: modelRef !== undefined ? 'model' : isCode ? 'code' : 'rule',
      connectionId: modelRef?.connectionId ?? null,
      model: modelRef?.model ?? null,
      waiting,
      problem: problem ?? null,
      until: until?.toISOString() ?? null,
    })),
    ...nextCursorOf('evaluations', next),
  }
}
