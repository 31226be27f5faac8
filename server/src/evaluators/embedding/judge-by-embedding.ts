/** Judges by the likeness of meanings: a model makes a vector of each text, and the score is the cosine between them. */
import type { EmbeddingModel } from 'ai'
import { priceCall } from '../../usage/price-call.ts'
import type { PriceOverride } from '../../usage/price-override.ts'
import type { ModelAnswer, Paid } from '../model/ask-model.ts'
import { callProblem } from '../model/call-problem.ts'
import { nothing, textOf, valueAt } from '../rules/place.ts'
import type { Subject } from '../rules/subject.ts'
import type { EmbeddingJudging } from './read-embedding-judge.ts'

export interface Embedding {
  readonly judging: EmbeddingJudging
  readonly opened: EmbeddingModel
  readonly provider: string
  readonly overrides: readonly PriceOverride[]
  readonly signal: AbortSignal
  readonly now: () => Date
}

/** What a model said, or why there was nothing to ask it. */
export type EmbeddingAnswer =
  | ModelAnswer
  | { readonly type: 'nothing'; readonly comment: string; readonly paid: Paid }

const timeoutMs = 60_000
/** About as much as the models take; what is beyond would be refused by some, and cut in silence by others. */
const charactersMax = 20_000

/** Never rejects for what the model, or the way to it, did wrong. */
export async function judgeByEmbedding(subject: Subject, embedding: Embedding): Promise<EmbeddingAnswer> {
  const { judging } = embedding
  const wanted = judging.value ?? subject.idealOutput ?? undefined
  if (wanted === undefined)
    return { type: 'nothing', comment: 'There is no ideal output to compare with.', paid: {} }
  const value = valueAt(subject, judging.place)
  if (value === undefined) return { type: 'nothing', comment: nothing(judging.place).comment, paid: {} }
  const references = Array.isArray(judging.value) ? judging.value.map(textOf) : [textOf(wanted)]
  const texts = [textOf(value), ...references]
  // Providers refuse an empty text.
  if (texts.some((text) => text.trim() === ''))
    return { type: 'nothing', comment: 'There is no text to compare.', paid: {} }
  const isCut = texts.some((text) => text.length > charactersMax)
  return compare(
    texts.map((text) => text.slice(0, charactersMax)),
    isCut ? `, by the first ${charactersMax} characters` : '',
    embedding,
  )
}

/** The first text with the others, of which the nearest counts. */
async function compare(
  values: string[],
  comparedBy: string,
  { judging, opened, provider, overrides, signal, now }: Embedding,
): Promise<ModelAnswer> {
  const { cosineSimilarity, embedMany } = await import('ai')
  // The SDK would write to the console of the service what a model does not take.
  Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false })
  try {
    const { embeddings, usage } = await embedMany({
      model: opened,
      values,
      // The queue tries again, and lets others go first.
      maxRetries: 0,
      abortSignal: AbortSignal.any([signal, AbortSignal.timeout(judging.timeoutMs ?? timeoutMs)]),
    })
    const paid = paidFor(usage.tokens, { model: judging.model, provider, overrides, at: now() })
    const [of, ...others] = embeddings
    const problem = problemOf(embeddings, values.length)
    if (of === undefined || problem !== undefined)
      return { type: 'problem', problem: { type: 'malformed', problem: problem ?? '' }, paid }
    const likeness = others.reduce((most, other) => Math.max(most, cosineSimilarity(of, other)), -1)
    const { threshold } = judging
    return {
      type: 'verdict',
      value: threshold == null ? likeness : likeness >= threshold,
      comment: `The cosine of the meanings is ${likeness.toFixed(3)}${comparedBy}.`,
      paid,
    }
  } catch (error) {
    return { type: 'problem', problem: callProblem(error, now()), paid: {} }
  }
}

/** Whether vectors can be compared, or what is wrong with them. */
function problemOf(embeddings: readonly (readonly number[])[], count: number): string | undefined {
  if (embeddings.length !== count)
    return `The model was given ${count} texts, and made ${embeddings.length} vectors.`
  const length = embeddings[0]?.length ?? 0
  const areComparable = embeddings.every(
    (vector) => vector.length === length && vector.some((of) => of !== 0) && vector.every(Number.isFinite),
  )
  return length > 0 && areComparable ? undefined : 'The model made vectors that cannot be compared.'
}

/** What goes out of such a model is not paid for. */
function paidFor(inputTokens: number, of: Parameters<typeof priceCall>[1]): Paid {
  if (!Number.isFinite(inputTokens)) return {}
  const { cost } = priceCall({ inputTokens, outputTokens: 0 }, of)
  return { inputTokens, outputTokens: 0, ...(cost === null ? {} : { cost }) }
}
