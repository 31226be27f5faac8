import { invalid, type operations, ServiceError } from '@plumbline/contract'
import type { EvaluationQueue } from '@plumbline/storage/control'
import type { Verb } from '../verb.ts'
import type { Workspace } from '../workspace.ts'
import { newEvaluation } from './enqueue.ts'
import { deadlineMs } from './pace.ts'

const judgedMax = 1000

/** A trace, or one of its logs. */
interface Judged {
  readonly traceId: string
  readonly logId: string | undefined
}

/** `wake` says that something is due. */
export const makeCreate =
  (queue: Pick<EvaluationQueue, 'add'>, wake: () => void): Verb<typeof operations.evaluations.create> =>
  async ({ evaluatorSlug, traceIds, logs }, { workspace, now }) => {
    const asked = distinct([
      ...(traceIds ?? []).map((id) => ({ traceId: id.toLowerCase(), logId: undefined })),
      ...(logs ?? []).map(({ traceId, logId }) => ({ traceId: traceId.toLowerCase(), logId })),
    ])
    if (asked.length === 0) throw invalid('traceIds', 'must name a trace, or logs must name a log')
    if (asked.length > judgedMax) throw invalid('logs', `must have at most ${judgedMax} with traceIds`)
    const evaluator = await workspace.catalogue.evaluator(evaluatorSlug)
    if (evaluator === undefined) throw new ServiceError('evaluator_not_found', { slug: evaluatorSlug })
    if (evaluator.kind === 'human') throw invalid('evaluatorSlug', 'must not name one that people judge by')
    await checkThere(asked, workspace)
    const added = asked.map(({ traceId, logId }) => {
      const reference = { logId, evaluatorSlug, digest: '' }
      return newEvaluation({ workspaceId: workspace.id, traceId }, reference, evaluator)
    })
    const created = await queue.add(added, { now, deadlineAt: new Date(now.getTime() + deadlineMs) })
    if (created > 0) wake()
    return { created, existing: asked.length - created }
  }

const keyOf = ({ traceId, logId }: Judged): string => JSON.stringify([traceId, logId])

const distinct = (asked: readonly Judged[]): Judged[] => [
  ...new Map(asked.map((each) => [keyOf(each), each])).values(),
]

/** What was just recorded is waited for, since it is judged as it is in the trace store. */
async function checkThere(asked: readonly Judged[], { traces, settle }: Workspace): Promise<void> {
  const ofLogs = asked.flatMap(({ traceId, logId }) => (logId === undefined ? [] : { traceId, logId }))
  const find = async (): Promise<ServiceError | undefined> => {
    const there = await traces.existing([...new Set(asked.map(({ traceId }) => traceId))])
    const trace = asked.find(({ traceId }) => !there.has(traceId))
    if (trace !== undefined) return new ServiceError('trace_not_found', { id: trace.traceId })
    if (ofLogs.length === 0) return undefined
    const logs = new Set((await traces.existingLogs(ofLogs)).map(keyOf))
    const log = ofLogs.find((each) => !logs.has(keyOf(each)))
    return log && new ServiceError('log_not_found', log)
  }
  const missing = (await find()) && (await settle().then(find))
  if (missing !== undefined) throw missing
}
