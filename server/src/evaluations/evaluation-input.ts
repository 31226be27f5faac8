/** What a batch of evaluations judges, and by what. */
import type { Evaluation } from '@plumbline/storage/control'
import { type Subject, subjectOfLog, subjectOfTrace } from '../evaluators/rules/subject.ts'
import { toStoredTrace } from '../traces/view.ts'
import type { Workspace } from '../workspace.ts'
import type { JudgedBy } from './judge.ts'

export type Found =
  | { readonly by: JudgedBy; readonly subject: Subject }
  /** Why there is nothing to judge, or nobody to judge it, for good. */
  | { readonly problem: string }

export type FindJudged = (of: Evaluation) => Promise<Found>

/** The traces are read together, each once, and so is each version of an evaluator. */
export function makeFindJudged(evaluations: readonly Evaluation[], workspace: Workspace): FindJudged {
  const traces = workspace.traces
    .findMany([...new Set(evaluations.map(({ traceId }) => traceId))])
    .then((all) => new Map([...all].map(([id, of]) => [id, toStoredTrace({ ...of, scores: [] })])))
  // A store that is away is told of to each that waits for it.
  traces.catch(() => {})
  const versions = new Map<string, ReturnType<Workspace['evaluators']['findVersion']>>()
  return async ({ traceId, logId, evaluatorSlug: slug, evaluatorVersion: version }) => {
    const key = `${slug} ${version}`
    const by = versions.get(key) ?? workspace.evaluators.findVersion(slug, version)
    versions.set(key, by)
    const [trace, judgedBy] = await Promise.all([traces.then((all) => all.get(traceId)), by])
    if (judgedBy === undefined) return { problem: `The evaluator "${slug}" was deleted.` }
    if (trace === undefined) return { problem: 'The trace is no longer there.' }
    const subject = logId === undefined ? subjectOfTrace(trace) : subjectOfLog(trace, logId)
    return subject === undefined
      ? { problem: `The trace has no log "${logId}" any more.` }
      : { by: judgedBy, subject }
  }
}
