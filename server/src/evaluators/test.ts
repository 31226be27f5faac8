import { type DryRun, invalid, type operations, ServiceError } from '@plumbline/contract'
import { findTrace } from '../traces/find.ts'
import { toStoredTrace } from '../traces/view.ts'
import type { Verb } from '../verb.ts'
import type { Workspace } from '../workspace.ts'
import type { CodeSandbox } from './code/run-code.ts'
import { tryCode } from './code/try-code.ts'
import type { Config, Judgement } from './rules/judge.ts'
import { isRuleKind, readRule, ruleKinds } from './rules/rule.ts'
import { type Subject, subjectOfTrace } from './rules/subject.ts'

const latest = 20

/** A dry run: what a rule or code would say, of traces named or of the latest. */
export const test: Verb<typeof operations.evaluators.test> = async (
  { kind, config, traceIds, featureSlug },
  { workspace },
) => {
  const judge = await readJudge(kind, config, workspace.sandbox)
  const ids = traceIds ?? (await latestTraces(featureSlug ?? undefined, workspace))
  const results: DryRun[] = []
  for (const id of ids) {
    const found = await findTrace(id.toLowerCase(), workspace)
    if (found === undefined) throw new ServiceError('trace_not_found', { id })
    const trace = toStoredTrace(found)
    results.push({ traceId: trace.id, ...(await judge(subjectOfTrace(trace))) })
  }
  return { results }
}

async function readJudge(
  kind: string,
  config: Config,
  sandbox: CodeSandbox,
): Promise<(subject: Subject) => Judgement | Promise<Judgement>> {
  if (isRuleKind(kind)) return readRule(kind, config)
  if (kind !== 'code')
    throw invalid(
      'kind',
      `must be code, or a rule, to be tried (${ruleKinds.join(', ')}); "${kind}" cannot be tried here`,
    )
  return tryCode(config, sandbox)
}

async function latestTraces(featureSlug: string | undefined, workspace: Workspace): Promise<string[]> {
  const filters = featureSlug === undefined ? {} : { featureSlug }
  const { traces } = await workspace.traces.list(filters, { limit: latest })
  return traces.map(({ traceId }) => traceId)
}
