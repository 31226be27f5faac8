/** Judges by similarity of meaning: a model embeds each text, and the score is the cosine of the embeddings. */
import type { EmbeddingModel } from 'ai'
import { priceCall } from '../../../ingest/usage/price-call.ts'
import type { PriceOverride } from '../../../ingest/usage/price-override.ts'
import type { ModelResult, Spend } from '../model/ask-model.ts'
import { callProblem } from '../model/call-problem.ts'
import type { JudgeCall } from '../model/judge-call.ts'
import { nothingAt, textOf, valueAt } from '../rules/place.ts'
import type { Subject } from '../rules/subject.ts'
import type { ParsedEmbeddingJudge } from './read-embedding-judge.ts'

export interface EmbeddingCall {
  readonly judge: ParsedEmbeddingJudge
  readonly embeddingModel: EmbeddingModel
  readonly provider: string
  readonly overrides: readonly PriceOverride[]
  readonly signal: AbortSignal
  readonly now: () => Date
  /** Called with each model call, whatever its outcome. */
  readonly onCall: (call: JudgeCall) => void
}

/** The model's result, or the reason if there was nothing to compare. */
export type EmbeddingResult =
  | ModelResult
  | { readonly type: 'nothing'; readonly comment: string; readonly spend: Spend }

const timeoutMs = 60_000
/** About as much as embedding models accept: beyond it some reject the text, and others truncate it silently. */
const charactersMax = 20_000

/** Never rejects for failures of the model or the network: those are results. */
export async function judgeByEmbedding(subject: Subject, call: EmbeddingCall): Promise<EmbeddingResult> {
  const { judge } = call
  const expected = judge.value ?? subject.idealOutput ?? undefined
  if (expected === undefined)
    return { type: 'nothing', comment: 'There is no ideal output to compare with.', spend: {} }
  const value = valueAt(subject, judge.place)
  if (value === undefined) return { type: 'nothing', comment: nothingAt(judge.place).comment, spend: {} }
  const references = Array.isArray(judge.value) ? judge.value.map(textOf) : [textOf(expected)]
  const texts = [textOf(value), ...references]
  // Providers reject an empty text.
  if (texts.some((text) => text.trim() === ''))
    return { type: 'nothing', comment: 'There is no text to compare.', spend: {} }
  const isCut = texts.some((text) => text.length > charactersMax)
  return compare(
    texts.map((text) => text.slice(0, charactersMax)),
    isCut ? `, from the first ${charactersMax} characters` : '',
    call,
  )
}

/** Compares the first text with the others; the most similar one counts. */
async function compare(values: string[], comparedBy: string, call: EmbeddingCall): Promise<ModelResult> {
  const startedAt = call.now()
  const result = await embedAndCompare(values, comparedBy, call)
  const { judge, provider } = call
  call.onCall({
    operation: 'embeddings',
    model: judge.model,
    provider,
    input: values,
    output: result.type === 'verdict' ? result.comment : null,
    problem: result.type === 'problem' ? result.problem.problem : undefined,
    spend: result.spend,
    startedAt,
    endedAt: call.now(),
  })
  return result
}

async function embedAndCompare(
  values: string[],
  comparedBy: string,
  { judge, embeddingModel, provider, overrides, signal, now }: EmbeddingCall,
): Promise<ModelResult> {
  const { cosineSimilarity, embedMany } = await import('ai')
  // Keeps the SDK from logging unsupported settings to the console.
  Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false })
  try {
    const { embeddings, usage } = await embedMany({
      model: embeddingModel,
      values,
      // The queue retries, with backoff.
      maxRetries: 0,
      abortSignal: AbortSignal.any([signal, AbortSignal.timeout(judge.timeoutMs ?? timeoutMs)]),
    })
    const spend = spendOf(usage.tokens, { model: judge.model, provider, overrides, time: now() })
    const [first, ...others] = embeddings
    const problem = problemOf(embeddings, values.length)
    if (first === undefined || problem !== undefined)
      return { type: 'problem', problem: { type: 'malformed', problem: problem ?? '' }, spend }
    const similarity = others.reduce((max, other) => Math.max(max, cosineSimilarity(first, other)), -1)
    const { threshold } = judge
    return {
      type: 'verdict',
      value: threshold == null ? similarity : similarity >= threshold,
      comment: `The cosine similarity is ${similarity.toFixed(3)}${comparedBy}.`,
      spend,
    }
  } catch (error) {
    return { type: 'problem', problem: callProblem(error, now()), spend: {} }
  }
}

/** Why the embeddings cannot be compared; undefined if they can. */
function problemOf(embeddings: readonly (readonly number[])[], count: number): string | undefined {
  if (embeddings.length !== count)
    return `The model returned ${embeddings.length} vectors for ${count} texts.`
  const length = embeddings[0]?.length ?? 0
  const areComparable = embeddings.every(
    (vector) =>
      vector.length === length &&
      vector.some((component) => component !== 0) &&
      vector.every(Number.isFinite),
  )
  return length > 0 && areComparable ? undefined : 'The model returned vectors that cannot be compared.'
}

/** Embedding models charge for input only. */
function spendOf(inputTokens: number, options: Parameters<typeof priceCall>[1]): Spend {
  if (!Number.isFinite(inputTokens)) return {}
  const { cost } = priceCall({ inputTokens, outputTokens: 0 }, options)
  return { inputTokens, outputTokens: 0, ...(cost === null ? {} : { cost }) }
}
