/** Shows that a model can judge before it is asked to: it answers, keeps to the form, and its price is known if that matters. */
import type { Connection, Lane } from '@plumbline/storage/control'
import type { Models } from '../connections/models.ts'
import { type EmbeddingAnswer, judgeByEmbedding } from '../evaluators/embedding/judge-by-embedding.ts'
import { askModel } from '../evaluators/model/ask-model.ts'
import { callProblem } from '../evaluators/model/call-problem.ts'
import type { Workspace } from '../workspace.ts'

/** What a probe found; `problem` is undefined where the model can judge. */
export interface Probed {
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

interface Probing {
  readonly models: Models
  readonly signal: AbortSignal
  readonly now: () => Date
}

/** Probes the model of a lane for what the kind of evaluator that waits for it needs. */
export async function probe(
  asked: NonNullable<Lane['asked']> & { readonly kind: string | undefined },
  workspace: Workspace,
  probing: Probing,
): Promise<Probed> {
  const { connectionId, model } = asked
  const connection = await workspace.connections.find(connectionId)
  if (connection === undefined) return { problem: 'The connection was deleted.', cost: 0 }
  const { name, spendMaxPerDay } = connection
  const failed = `The connection "${name}" failed its probe with the model "${model}": `
  try {
    const answer = await ask(asked, connection, workspace, probing)
    const { cost } = answer.paid
    if (answer.type === 'problem') return { problem: failed + answer.problem.problem, cost: cost ?? 0 }
    if (cost === undefined && spendMaxPerDay !== undefined) {
      const problem = `${failed}its price is not known, so what it may spend in a day cannot be kept; give it a price.`
      return { problem, cost: 0 }
    }
    return { problem: undefined, cost: cost ?? 0 }
  } catch (error) {
    return { problem: failed + callProblem(error, probing.now()).problem, cost: 0 }
  }
}

async function ask(
  { connectionId, model, kind }: Parameters<typeof probe>[0],
  connection: Connection,
  workspace: Workspace,
  { models, signal, now }: Probing,
): Promise<EmbeddingAnswer> {
  const { provider } = connection
  const overrides = await workspace.prices.list()
  if (kind === 'embedding_similarity') {
    const opened = await models.openEmbedder(connection, model, workspace.id)
    const place = { of: 'output', path: [] } as const
    const judging = { connectionId, model, timeoutMs, place, value: 'four' }
    return judgeByEmbedding(subject, { judging, opened, provider, overrides, signal, now })
  }
  const opened = await models.openModel(connection, model, workspace.id)
  const judge = { connectionId, model, ...question }
  return askModel(subject, { judge, opened, provider, overrides, signal, now })
}
