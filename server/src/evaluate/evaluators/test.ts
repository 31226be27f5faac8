import { type DryRun, invalid, type operations, ServiceError } from '@plumbline/contract'
import type { Verb } from '../../requests/verb.ts'
import { findTrace } from '../../traces/find.ts'
import { toStoredTrace } from '../../traces/view.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import type { Judge } from '../evaluations/judge.ts'
import { makeCodeTest } from './code/try-code.ts'
import { readEmbeddingJudge } from './embedding/read-embedding-judge.ts'
import { readModelJudge } from './model/read-model-judge.ts'
import { isRuleKind, readRule } from './rules/rule.ts'
import { type Subject, subjectOfTrace } from './rules/subject.ts'

const tracesDefault = 20
/** Concurrent judge calls; a user waits for the response. */
const concurrency = 8

/** A dry run of an evaluator on the named traces, or on the latest ones. */
export const makeTest =
  (judge: Judge): Verb<typeof operations.evaluators.test> =>
  async ({ kind, config, traceIds, featureSlug }, { workspace }) => {
    if (kind === 'human')
      throw invalid('kind', 'must not be "human": people judge, so there is nothing to test')
    if (isRuleKind(kind)) readRule(kind, config)
    if (kind === 'llm') readModelJudge(config)
    if (kind === 'embedding_similarity') readEmbeddingJudge(config)
    const judgeWithCode = kind === 'code' ? await makeCodeTest(config, workspace.sandbox) : undefined
    const evaluator = { kind, config: JSON.stringify(config) }
    const context = { workspace, signal: new AbortController().signal, now: () => new Date() }
    const judgeTrace = async ({ id, subject }: TestTrace): Promise<DryRun> => {
      if (judgeWithCode !== undefined) return { traceId: id, ...(await judgeWithCode(subject)) }
      const result = await judge(evaluator, subject, context)
      const cost =
        kind === 'llm' || kind === 'embedding_similarity' ? { cost: result.spend.cost ?? null } : {}
      switch (result.type) {
        case 'verdict':
          return { traceId: id, value: result.value, comment: result.comment, ...cost }
        case 'nothing':
          return { traceId: id, value: null, comment: result.comment, ...cost }
        case 'problem':
          return { traceId: id, value: null, comment: result.problem.problem, ...cost }
      }
    }
    const ids = traceIds ?? (await latestTraces(featureSlug ?? undefined, workspace))
    const results: DryRun[] = []
    for (let start = 0; start < ids.length; start += concurrency) {
      const chunk = await Promise.all(
        ids.slice(start, start + concurrency).map((id) => findSubject(id, workspace)),
      )
      results.push(...(await Promise.all(chunk.map(judgeTrace))))
    }
    return { results }
  }

interface TestTrace {
  readonly id: string
  readonly subject: Subject
}

async function findSubject(id: string, workspace: Workspace): Promise<TestTrace> {
  const storedTrace = await findTrace(id.toLowerCase(), workspace)
  if (storedTrace === undefined) throw new ServiceError('trace_not_found', { id })
  const trace = toStoredTrace(storedTrace)
  return { id: trace.id, subject: subjectOfTrace(trace) }
}

async function latestTraces(featureSlug: string | undefined, workspace: Workspace): Promise<string[]> {
  const filters = featureSlug === undefined ? {} : { where: [{ field: 'feature', is: [featureSlug] }] }
  const { traces } = await workspace.traces.list(filters, { limit: tracesDefault })
  return traces.map(({ traceId }) => traceId)
}
