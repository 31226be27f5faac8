import { invalid, type operations, ServiceError } from '@plumbline/contract'
import type { EvaluationQueue } from '@plumbline/storage/control'
import type { Verb } from '../../requests/verb.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { newEvaluation } from './new-evaluation.ts'
import { deadlineMs } from './retry-policy.ts'

const subjectsMax = 1000

/** A trace, or one of its logs. */
interface JudgedSubject {
  readonly traceId: string
  readonly logId: string | undefined
}

/** `notify` tells the poller that evaluations are due. */
export const makeCreate =
  (queue: Pick<EvaluationQueue, 'add'>, notify: () => void): Verb<typeof operations.evaluations.create> =>
  async ({ evaluatorSlug, traceIds, logs }, { workspace, now }) => {
    const subjects = distinct([
      ...(traceIds ?? []).map((id) => ({ traceId: id.toLowerCase(), logId: undefined })),
      ...(logs ?? []).map(({ traceId, logId }) => ({ traceId: traceId.toLowerCase(), logId })),
    ])
    if (subjects.length === 0) throw invalid('traceIds', 'must name a trace, or logs must name a log')
    if (subjects.length > subjectsMax) throw invalid('logs', `must have at most ${subjectsMax} with traceIds`)
    const evaluator = await workspace.cache.evaluator(evaluatorSlug)
    if (evaluator === undefined) throw new ServiceError('evaluator_not_found', { slug: evaluatorSlug })
    if (evaluator.kind === 'human') throw invalid('evaluatorSlug', 'must not name a "human" evaluator')
    await checkExist(subjects, workspace)
    const added = subjects.map(({ traceId, logId }) => {
      const reference = { logId, evaluatorSlug, digest: '' }
      return newEvaluation({ workspaceId: workspace.id, traceId }, reference, evaluator)
    })
    const created = await queue.add(added, { now, deadlineAt: new Date(now.getTime() + deadlineMs) })
    if (created > 0) notify()
    return { created, existing: subjects.length - created }
  }

const keyOf = ({ traceId, logId }: JudgedSubject): string => JSON.stringify([traceId, logId])

const distinct = (subjects: readonly JudgedSubject[]): JudgedSubject[] => [
  ...new Map(subjects.map((subject) => [keyOf(subject), subject])).values(),
]

/** Waits for records that are not yet in the trace store, since evaluations read from there. */
async function checkExist(subjects: readonly JudgedSubject[], { traces, settle }: Workspace): Promise<void> {
  const logSubjects = subjects.flatMap(({ traceId, logId }) =>
    logId === undefined ? [] : { traceId, logId },
  )
  const find = async (): Promise<ServiceError | undefined> => {
    const existing = await traces.existing([...new Set(subjects.map(({ traceId }) => traceId))])
    const trace = subjects.find(({ traceId }) => !existing.has(traceId))
    if (trace !== undefined) return new ServiceError('trace_not_found', { id: trace.traceId })
    if (logSubjects.length === 0) return undefined
    const logs = new Set((await traces.existingLogs(logSubjects)).map(keyOf))
    const log = logSubjects.find((subject) => !logs.has(keyOf(subject)))
    return log && new ServiceError('log_not_found', log)
  }
  const missing = (await find()) && (await settle().then(find))
  if (missing !== undefined) throw missing
}
