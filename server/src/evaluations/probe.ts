/** Shows that a model can judge before it is asked to: it answers, keeps to the form, and its price is known if that matters. */
import type { Lane } from '@plumbline/storage/control'
import type { OpenModel } from '../connections/models.ts'
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

export async function probe(
  { connectionId, model }: NonNullable<Lane['asked']>,
  workspace: Workspace,
  { openModel, signal, now }: { openModel: OpenModel; signal: AbortSignal; now: () => Date },
): Promise<Probed> {
  const connection = await workspace.connections.find(connectionId)
  if (connection === undefined) return { problem: 'The connection was deleted.', cost: 0 }
  const { name, provider, spendMaxPerDay } = connection
  const failed = `The connection "${name}" failed its probe with the model "${model}": `
  try {
    const opened = await openModel(connection, model, workspace.id)
    const overrides = await workspace.prices.list()
    const judge = { connectionId, model, ...question }
    const answer = await askModel(subject, { judge, opened, provider, overrides, signal, now })
    const { cost } = answer.paid
    if (answer.type === 'problem') return { problem: failed + answer.problem.problem, cost: cost ?? 0 }
    if (cost === undefined && spendMaxPerDay !== undefined) {
      const problem = `${failed}its price is not known, so what it may spend in a day cannot be kept; give it a price.`
      return { problem, cost: 0 }
    }
    return { problem: undefined, cost: cost ?? 0 }
  } catch (error) {
    return { problem: failed + callProblem(error, now()).problem, cost: 0 }
  }
}
