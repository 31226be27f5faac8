import { type LiveRule, type operations, ServiceError } from '@plumbline/contract'
import type { LiveSelection } from '@plumbline/storage/traces'
import { countTokens } from '../../ingest/usage/count-tokens.ts'
import { priceCall } from '../../ingest/usage/price-call.ts'
import type { Verb } from '../../requests/verb.ts'
import { toStoredTrace } from '../../traces/view.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { readEmbeddingJudge } from './embedding/read-embedding-judge.ts'
import { quietMsOf, selectionOf } from './live-rule.ts'
import { renderJudge } from './model/ask-model.ts'
import { readModelJudge } from './model/read-model-judge.ts'
import { readSession } from './read-session.ts'
import type { Config } from './rules/judge.ts'
import { type Subject, subjectOfLog, subjectOfTrace } from './rules/subject.ts'

const dayUs = 86_400_000_000n
/** Scores and traces that a cost is estimated from. */
const scoresMax = 100
const tracesMax = 10
/** Longer prompts are counted by their beginning only. */
const countedCharactersMax = 50_000
/** A reason of a few sentences, and a verdict. */
const responseTokens = 150

type Cost = {
  readonly basis: 'scores' | 'traces' | 'free' | 'unknown'
  readonly costPerJudgement: number | null
}

/** How much of the last 24 hours a live rule would have judged, and what that would have cost. */
export const estimate: Verb<typeof operations.evaluators.estimate> = async (
  { kind, config, liveRule, slug },
  { workspace, now },
) => {
  const toUs = BigInt(now.getTime()) * 1000n
  const { filters, logType } = selectionOf(liveRule)
  const selection = { filters: { ...filters, fromUs: toUs - dayUs, toUs }, logType }
  const { matching, judged } =
    liveRule.subject === 'session'
      ? await workspace.traces.liveSessionSums(selection.filters, {
          rate: liveRule.sampleRate,
          quietMs: quietMsOf(liveRule),
        })
      : await workspace.traces.liveSums(selection, liveRule.sampleRate)
  const cost = await costOf({ kind, config, slug: slug ?? undefined, liveRule, selection, now }, workspace)
  const { costPerJudgement } = cost
  return {
    from: new Date(now.getTime() - Number(dayUs / 1000n)).toISOString(),
    to: now.toISOString(),
    matching,
    judged,
    ...cost,
    cost: judged === 0 ? 0 : costPerJudgement === null ? null : costPerJudgement * judged,
  }
}

interface EstimateInput {
  readonly kind: string
  readonly config: Config
  readonly slug: string | undefined
  readonly liveRule: LiveRule
  readonly selection: LiveSelection
  readonly now: Date
}

async function costOf(estimate: EstimateInput, workspace: Workspace): Promise<Cost> {
  const { kind, slug } = estimate
  if (kind !== 'llm' && kind !== 'embedding_similarity') return { basis: 'free', costPerJudgement: 0 }
  const measuredCost = slug === undefined ? null : await meanCost(slug, workspace)
  if (measuredCost !== null) return { basis: 'scores', costPerJudgement: measuredCost }
  // A dry run measures what embeddings cost; only prompts are rendered here.
  const costPerJudgement = kind === 'llm' ? await costOfPrompts(estimate, workspace) : null
  if (kind === 'embedding_similarity') readEmbeddingJudge(estimate.config)
  return { basis: costPerJudgement === null ? 'unknown' : 'traces', costPerJudgement }
}

async function meanCost(slug: string, { traces }: Workspace): Promise<number | null> {
  const { scores } = await traces.scores({ name: slug, source: 'evaluator' }, { limit: scoresMax })
  const costs = scores.flatMap(({ cost }) => cost ?? [])
  return costs.length === 0 ? null : mean(costs)
}

/** The priced prompts of some of the traces; null without a trace or a price. */
async function costOfPrompts(
  { config, liveRule, selection, now }: EstimateInput,
  workspace: Workspace,
): Promise<number | null> {
  const judge = readModelJudge(config)
  const connection = await workspace.connections.find(judge.connectionId)
  if (connection === undefined) throw new ServiceError('connection_not_found', { id: judge.connectionId })
  const ids = await workspace.traces.sample(selection.filters, { limit: tracesMax, seed: 'estimate' })
  const storedTraces = [...(await workspace.traces.findMany(ids)).values()]
  const subjects =
    liveRule.subject === 'session'
      ? await sessionsOf(storedTraces, workspace)
      : storedTraces.flatMap((trace) =>
          subjectsOf(toStoredTrace({ ...trace, scores: [] }), liveRule.subject).slice(0, tracesMax),
        )
  const tokens = subjects.slice(0, tracesMax).flatMap((subject) => {
    const rendered = renderJudge(judge, subject)
    return rendered.type === 'failed'
      ? []
      : tokensOf(rendered.messages.map(({ content }) => content).join('\n'), judge.model)
  })
  if (tokens.length === 0) return null
  const usage = { inputTokens: mean(tokens), outputTokens: responseTokens }
  const overrides = await workspace.prices.list()
  return priceCall(usage, { provider: connection.provider, model: judge.model, time: now, overrides }).cost
}

async function sessionsOf(
  traces: readonly { readonly trace: { readonly sessionId: string | null } }[],
  workspace: Workspace,
): Promise<Subject[]> {
  const ids = new Set(traces.flatMap(({ trace }) => trace.sessionId ?? []))
  const sessions = await Promise.all([...ids].map((id) => readSession(workspace, id)))
  return sessions.flatMap((session) => session?.subject ?? [])
}

function subjectsOf(trace: ReturnType<typeof toStoredTrace>, subject: LiveRule['subject']): Subject[] {
  if (subject === 'trace') return [subjectOfTrace(trace)]
  const logs = trace.logs.filter(({ type }) => type === subject)
  return logs.flatMap(({ id }) => subjectOfLog(trace, id) ?? [])
}

function tokensOf(text: string, model: string): number {
  const counted = text.slice(0, countedCharactersMax)
  return counted === '' ? 0 : Math.round((countTokens(counted, model).tokens * text.length) / counted.length)
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length
