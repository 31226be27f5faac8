/** Loads the subject and the evaluator of each evaluation in a batch. */
import type { Evaluation } from '@plumbline/storage/control'
import { toStoredTrace } from '../../traces/view.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { readSession, type SessionSubject } from '../evaluators/read-session.ts'
import { type Subject, subjectOfLog, subjectOfTrace } from '../evaluators/rules/subject.ts'
import type { JudgeConfig } from './judge.ts'
import type { DataOwner } from './record-judge.ts'

export type EvaluationInput =
  | { readonly evaluator: JudgeConfig; readonly subject: Subject; readonly owner: DataOwner }
  /** Why the evaluation can never run. */
  | { readonly problem: string }

export type LoadEvaluationInput = (evaluation: Evaluation) => Promise<EvaluationInput>

/** Reads each trace and each evaluator version once for the whole batch. */
export function makeLoadInput(evaluations: readonly Evaluation[], workspace: Workspace): LoadEvaluationInput {
  const tracesById = workspace.traces
    .findMany([...new Set(evaluations.filter(isOfTrace).map(({ traceId }) => traceId))])
    .then((all) => new Map([...all].map(([id, trace]) => [id, toStoredTrace({ ...trace, scores: [] })])))
  // Each evaluation that awaits the traces gets the rejection; this only marks it as handled.
  tracesById.catch(() => {})
  const versions = new Map<string, ReturnType<Workspace['evaluators']['findVersion']>>()
  return async ({ traceId, logId, sessionId, evaluatorSlug: slug, evaluatorVersion: version }) => {
    const key = `${slug} ${version}`
    const loading = versions.get(key) ?? workspace.evaluators.findVersion(slug, version)
    versions.set(key, loading)
    const [trace, evaluator] = await Promise.all([tracesById.then((all) => all.get(traceId)), loading])
    if (evaluator === undefined) return { problem: `The evaluator "${slug}" was deleted.` }
    if (sessionId !== undefined)
      return sessionInput(await readSession(workspace, sessionId, traceId), evaluator)
    if (trace === undefined) return { problem: 'The trace no longer exists.' }
    const subject = logId === undefined ? subjectOfTrace(trace) : subjectOfLog(trace, logId)
    return subject === undefined
      ? { problem: `The trace no longer has the log "${logId}".` }
      : { evaluator, subject, owner: { user: trace.user, organization: trace.organization } }
  }
}

const isOfTrace = ({ sessionId }: Evaluation): boolean => sessionId === undefined

function sessionInput(session: SessionSubject | undefined, evaluator: JudgeConfig): EvaluationInput {
  if (session === undefined) return { problem: 'The session no longer exists.' }
  return { evaluator, subject: session.subject, owner: ownerOf(session.last) }
}

const ownerOf = ({
  userId,
  userName,
  organizationId,
  organizationName,
}: SessionSubject['last']): DataOwner => ({
  user: userId === null ? null : { id: userId, name: userName ?? '' },
  organization: organizationId === null ? null : { id: organizationId, name: organizationName ?? '' },
})
