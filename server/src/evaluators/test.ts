import { type DryRun, invalid, type operations, ServiceError } from '@plumbline/contract'
import type { Judge } from '../evaluations/judge.ts'
import { findTrace } from '../traces/find.ts'
import { toStoredTrace } from '../traces/view.ts'
import type { Verb } from '../verb.ts'
import type { Workspace } from '../workspace.ts'
import { tryCode } from './code/try-code.ts'
import { readEmbeddingJudge } from './embedding/read-embedding-judge.ts'
import { readModelJudge } from './model/read-model-judge.ts'
import { isRuleKind, readRule } from './rules/rule.ts'
import { type Subject, subjectOfTrace } from './rules/subject.ts'

const latest = 20
/** Models are asked so many at a time, as somebody waits. */
const atOnce = 8

/** A dry run: what an evaluator would say, of traces named or of the latest. */
export const makeTest =
  (judge: Judge): Verb<typeof operations.evaluators.test> =>
  async ({ kind, config, traceIds, featureSlug }, { workspace }) => {
    if (kind === 'human') throw invalid('kind', 'must not be "human" to be tried, since people judge by it')
    if (isRuleKind(kind)) readRule(kind, config)
    if (kind === 'llm') readModelJudge(config)
    if (kind === 'embedding_similarity') readEmbeddingJudge(config)
    const tryByCode = kind === 'code' ? await tryCode(config, workspace.sandbox) : undefined
    const by = { kind, config: JSON.stringify(config) }
    const context = { workspace, signal: new AbortController().signal, now: () => new Date() }
    const tryOne = async ({ id, subject }: Tried): Promise<DryRun> => {
      if (tryByCode !== undefined) return { traceId: id, ...(await tryByCode(subject)) }
      const judged = await judge(by, subject, context)
      const cost = kind === 'llm' || kind === 'embedding_similarity' ? { cost: judged.paid.cost ?? null } : {}
      switch (judged.type) {
        case 'verdict':
          return { traceId: id, value: judged.value, comment: judged.comment, ...cost }
        case 'nothing':
          return { traceId: id, value: null, comment: judged.comment, ...cost }
        case 'problem':
          return { traceId: id, value: null, comment: judged.problem.problem, ...cost }
      }
    }
    const ids = traceIds ?? (await latestTraces(featureSlug ?? undefined, workspace))
    const results: DryRun[] = []
    for (let start = 0; start < ids.length; start += atOnce) {
      const tried = await Promise.all(
        ids.slice(start, start + atOnce).map((id) => findSubject(id, workspace)),
      )
      results.push(...(await Promise.all(tried.map(tryOne))))
    }
    return { results }
  }

interface Tried {
  readonly id: string
  readonly subject: Subject
}

async function findSubject(id: string, workspace: Workspace): Promise<Tried> {
  const found = await findTrace(id.toLowerCase(), workspace)
  if (found === undefined) throw new ServiceError('trace_not_found', { id })
  const trace = toStoredTrace(found)
  return { id: trace.id, subject: subjectOfTrace(trace) }
}

async function latestTraces(featureSlug: string | undefined, workspace: Workspace): Promise<string[]> {
  const filters = featureSlug === undefined ? {} : { featureSlug }
  const { traces } = await workspace.traces.list(filters, { limit: latest })
  return traces.map(({ traceId }) => traceId)
}
