/** Who judges, by the kind of the evaluator. */
import { ServiceError } from '@plumbline/contract'
import type { Connection, EvaluatorVersion } from '@plumbline/storage/control'
import type { Models } from '../connections/models.ts'
import { judgeByCode } from '../evaluators/code/judge-by-code.ts'
import { CodeFailed } from '../evaluators/code/limits.ts'
import { type EmbeddingAnswer, judgeByEmbedding } from '../evaluators/embedding/judge-by-embedding.ts'
import { readEmbeddingJudge } from '../evaluators/embedding/read-embedding-judge.ts'
import { askModel } from '../evaluators/model/ask-model.ts'
import { callProblem } from '../evaluators/model/call-problem.ts'
import { readModelJudge } from '../evaluators/model/read-model-judge.ts'
import type { Config, Judgement } from '../evaluators/rules/judge.ts'
import { isRuleKind } from '../evaluators/rules/rule.ts'
import type { RuleJudge } from '../evaluators/rules/rule-judge.ts'
import type { Subject } from '../evaluators/rules/subject.ts'
import type { Workspace } from '../workspace.ts'

/** What came of judging. */
export type Judged = EmbeddingAnswer

export type JudgedBy = Pick<EvaluatorVersion, 'kind' | 'config'>

/** Judges a subject. Rejects with a `ServiceError` for a configuration that cannot be, and for nothing else foreseen. */
export type Judge = (
  by: JudgedBy,
  subject: Subject,
  context: { readonly workspace: Workspace; readonly signal: AbortSignal; readonly now: () => Date },
) => Promise<Judged>

export function makeJudge(models: Models, rules: Pick<RuleJudge, 'judge'>): Judge {
  return async ({ kind, config }, subject, context) => {
    if (isRuleKind(kind)) return judgedBy(await rules.judge(kind, config, subject, context.workspace.id))
    if (kind === 'llm') return judgeByModel(config, subject, models, context)
    if (kind === 'embedding_similarity') return judgeByMeaning(config, subject, models, context)
    if (kind === 'code') return judgeByOwnCode(config, subject, context)
    throw new ServiceError('invalid_request', { path: 'kind', problem: `"${kind}" judges nothing by itself` })
  }
}

function judgedBy({ value, comment }: Judgement): Judged {
  return value === null
    ? { type: 'nothing', comment, paid: {} }
    : { type: 'verdict', value, comment, paid: {} }
}

/** Code that fails once fails each time, unless it was its place that broke. */
async function judgeByOwnCode(
  config: string,
  subject: Subject,
  { workspace }: Parameters<Judge>[2],
): Promise<Judged> {
  try {
    return judgedBy(await judgeByCode(JSON.parse(config) as Config, subject, workspace.sandbox))
  } catch (error) {
    if (!(error instanceof CodeFailed)) throw error
    const type = error.reason === 'broke' ? 'passing' : 'refused'
    return { type: 'problem', problem: { type, problem: error.message }, paid: {} }
  }
}

async function judgeByModel(
  config: string,
  subject: Subject,
  { openModel }: Models,
  { workspace, signal, now }: Parameters<Judge>[2],
): Promise<Judged> {
  const judge = readModelJudge(JSON.parse(config))
  const connection = await connectionOf(judge, workspace)
  try {
    const opened = await openModel(connection, judge.model, workspace.id)
    const overrides = await workspace.prices.list()
    return await askModel(subject, { judge, opened, provider: connection.provider, overrides, signal, now })
  } catch (error) {
    return { type: 'problem', problem: callProblem(error, now()), paid: {} }
  }
}

async function judgeByMeaning(
  config: string,
  subject: Subject,
  { openEmbedder }: Models,
  { workspace, signal, now }: Parameters<Judge>[2],
): Promise<Judged> {
  // Safe: the contract's schema let only objects in.
  const judging = readEmbeddingJudge(JSON.parse(config) as Config)
  const connection = await connectionOf(judging, workspace)
  try {
    const opened = await openEmbedder(connection, judging.model, workspace.id)
    const overrides = await workspace.prices.list()
    const { provider } = connection
    return await judgeByEmbedding(subject, { judging, opened, provider, overrides, signal, now })
  } catch (error) {
    return { type: 'problem', problem: callProblem(error, now()), paid: {} }
  }
}

async function connectionOf(
  { connectionId }: { readonly connectionId: string },
  { connections }: Workspace,
): Promise<Connection> {
  const connection = await connections.find(connectionId)
  if (connection === undefined) throw new ServiceError('connection_not_found', { id: connectionId })
  return connection
}
