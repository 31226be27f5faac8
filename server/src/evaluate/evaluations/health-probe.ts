/** Health probe of a model judge: it responds, its response has the right form, and its price is known if there is a budget. */
import type { ConcurrencyGroup, Connection } from '@plumbline/storage/control'
import type { Models } from '../../outbound/connections/models.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { type EmbeddingResult, judgeByEmbedding } from '../evaluators/embedding/judge-by-embedding.ts'
import { askModel } from '../evaluators/model/ask-model.ts'
import { callProblem } from '../evaluators/model/call-problem.ts'

/** `problem` is undefined if the model can judge. */
export interface HealthProbeResult {
  readonly problem: string | undefined
  readonly cost: number
}

const timeoutMs = 30_000
const question = {
  template: 'The question was: {{ input }}\nThe answer was: {{ output }}\n\nIs the answer right?',
  verdict: { type: 'boolean' },
  timeoutMs,
} as const
const subject = {
  input: 'How much is 2 + 2?',
  output: '4',
  idealOutput: null,
  metadata: null,
  variables: {},
  context: [],
  logs: [],
  durationMs: null,
  cost: null,
  inputTokens: 0,
  outputTokens: 0,
}

interface HealthProbeDeps {
  readonly models: Models
  readonly signal: AbortSignal
  readonly now: () => Date
}

/** Probes a concurrency group's model in the way the waiting kind of evaluator uses it. */
export async function runHealthProbe(
  target: NonNullable<ConcurrencyGroup['target']> & { readonly kind: string | undefined },
  workspace: Workspace,
  deps: HealthProbeDeps,
): Promise<HealthProbeResult> {
  const { connectionId, model } = target
  const connection = await workspace.connections.find(connectionId)
  if (connection === undefined) return { problem: 'The connection was deleted.', cost: 0 }
  const { name, spendMaxPerDay } = connection
  const prefix = `The connection "${name}" failed its probe with the model "${model}": `
  try {
    const result = await callModel(target, connection, workspace, deps)
    const { cost } = result.spend
    if (result.type === 'problem') return { problem: prefix + result.problem.problem, cost: cost ?? 0 }
    if (cost === undefined && spendMaxPerDay !== undefined) {
      const problem = `${prefix}its price is not known, so its daily spending limit cannot be enforced; add a price.`
      return { problem, cost: 0 }
    }
    return { problem: undefined, cost: cost ?? 0 }
  } catch (error) {
    return { problem: prefix + callProblem(error, deps.now()).problem, cost: 0 }
  }
}

async function callModel(
  { connectionId, model, kind }: Parameters<typeof runHealthProbe>[0],
  connection: Connection,
  workspace: Workspace,
  { models, signal, now }: HealthProbeDeps,
): Promise<EmbeddingResult> {
  const { provider } = connection
  const overrides = await workspace.prices.list()
  if (kind === 'embedding_similarity') {
    const embeddingModel = await models.openEmbedder(connection, model, workspace.id)
    const place = { part: 'output', path: [] } as const
    const embeddingJudge = { connectionId, model, timeoutMs, place, value: 'four' }
    return judgeByEmbedding(subject, {
      judge: embeddingJudge,
      embeddingModel,
      provider,
      overrides,
      signal,
      now,
      onCall: ignoreCall,
    })
  }
  const languageModel = await models.openModel(connection, model, workspace.id)
  const judge = { connectionId, model, ...question }
  return askModel(subject, { judge, languageModel, provider, overrides, signal, now, onCall: ignoreCall })
}

/** The call of a probe is not recorded, since it judges nothing of the workspace. */
const ignoreCall = (): void => {}
