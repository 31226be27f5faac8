/** Chooses how to judge, by the evaluator's kind. */
import { ServiceError } from '@plumbline/contract'
import type { Connection, EvaluatorVersion } from '@plumbline/storage/control'
import type { Models } from '../../outbound/connections/models.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { judgeByCode } from '../evaluators/code/judge-by-code.ts'
import { CodeFailed } from '../evaluators/code/limits.ts'
import { type EmbeddingResult, judgeByEmbedding } from '../evaluators/embedding/judge-by-embedding.ts'
import { readEmbeddingJudge } from '../evaluators/embedding/read-embedding-judge.ts'
import { askModel } from '../evaluators/model/ask-model.ts'
import { callProblem } from '../evaluators/model/call-problem.ts'
import type { JudgeCall } from '../evaluators/model/judge-call.ts'
import { readModelJudge } from '../evaluators/model/read-model-judge.ts'
import type { Config, Verdict } from '../evaluators/rules/judge.ts'
import { isRuleKind } from '../evaluators/rules/rule.ts'
import type { RuleJudge } from '../evaluators/rules/rule-judge.ts'
import type { Subject } from '../evaluators/rules/subject.ts'

/** The result of one evaluation attempt. */
export type EvaluationResult = EmbeddingResult

export type JudgeConfig = Pick<EvaluatorVersion, 'kind' | 'config'>

interface JudgeContext {
  readonly workspace: Workspace
  readonly signal: AbortSignal
  readonly now: () => Date
  /** Called with each model call. */
  readonly onCall?: (call: JudgeCall) => void
}

const ignoreCall = (): void => {}

/** Judges a subject. Rejects with a `ServiceError` for an invalid configuration; expected failures are results. */
export type Judge = (
  evaluator: JudgeConfig,
  subject: Subject,
  context: JudgeContext,
) => Promise<EvaluationResult>

export function makeJudge(models: Models, rules: Pick<RuleJudge, 'judge'>): Judge {
  return async ({ kind, config }, subject, context) => {
    if (isRuleKind(kind)) return toResult(await rules.judge(kind, config, subject, context.workspace.id))
    if (kind === 'llm') return judgeByModel(config, subject, models, context)
    if (kind === 'embedding_similarity') return judgeByEmbeddings(config, subject, models, context)
    if (kind === 'code') return judgeWithCode(config, subject, context)
    throw new ServiceError('invalid_request', {
      path: 'kind',
      problem: `"${kind}" evaluators cannot run automatically`,
    })
  }
}

function toResult({ value, comment }: Verdict): EvaluationResult {
  return value === null
    ? { type: 'nothing', comment, spend: {} }
    : { type: 'verdict', value, comment, spend: {} }
}

/** A failure of the code itself is permanent; a broken sandbox is transient. */
async function judgeWithCode(
  config: string,
  subject: Subject,
  { workspace }: JudgeContext,
): Promise<EvaluationResult> {
  try {
    return toResult(await judgeByCode(JSON.parse(config) as Config, subject, workspace.sandbox))
  } catch (error) {
    if (!(error instanceof CodeFailed)) throw error
    const type = error.reason === 'broke' ? 'transient' : 'permanent'
    return { type: 'problem', problem: { type, problem: error.message }, spend: {} }
  }
}

async function judgeByModel(
  config: string,
  subject: Subject,
  { openModel }: Models,
  { workspace, signal, now, onCall = ignoreCall }: JudgeContext,
): Promise<EvaluationResult> {
  const judge = readModelJudge(JSON.parse(config))
  const connection = await findConnection(judge, workspace)
  try {
    const languageModel = await openModel(connection, judge.model, workspace.id)
    const overrides = await workspace.prices.list()
    return await askModel(subject, {
      judge,
      languageModel,
      provider: connection.provider,
      overrides,
      signal,
      now,
      onCall,
    })
  } catch (error) {
    return { type: 'problem', problem: callProblem(error, now()), spend: {} }
  }
}

async function judgeByEmbeddings(
  config: string,
  subject: Subject,
  { openEmbedder }: Models,
  { workspace, signal, now, onCall = ignoreCall }: JudgeContext,
): Promise<EvaluationResult> {
  // Safe: the contract's schema admits only objects.
  const judge = readEmbeddingJudge(JSON.parse(config) as Config)
  const connection = await findConnection(judge, workspace)
  try {
    const embeddingModel = await openEmbedder(connection, judge.model, workspace.id)
    const overrides = await workspace.prices.list()
    const { provider } = connection
    return await judgeByEmbedding(subject, {
      judge,
      embeddingModel,
      provider,
      overrides,
      signal,
      now,
      onCall,
    })
  } catch (error) {
    return { type: 'problem', problem: callProblem(error, now()), spend: {} }
  }
}

async function findConnection(
  { connectionId }: { readonly connectionId: string },
  { connections }: Workspace,
): Promise<Connection> {
  const connection = await connections.find(connectionId)
  if (connection === undefined) throw new ServiceError('connection_not_found', { id: connectionId })
  return connection
}
