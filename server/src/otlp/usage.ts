/** Tokens and cost of a span as the rows take them, and what is odd about them. */
import type { UsageFacts } from '../monitor/log-facts.ts'
import { bucketsOf } from '../usage/buckets.ts'
import { field } from './json-value.ts'
import type { ReadSpan } from './read-span.ts'
import type { ReceivedSpan } from './span.ts'

/**
 * What a person should know of a log's numbers, beside the flags of `bucketsOf`:
 *
 * - `usage_reported_as_zero`: no tokens at all were reported of a model that answered, so they were counted.
 * - `usage_of_enclosing_generation`: the span says nothing of itself, and the generation around it is the same call.
 * - `usage_differs_from_children`: what it reports and the sum of what is below it are more than 1 % apart.
 */
export type SpanFlag =
  | ReturnType<typeof bucketsOf>['flags'][number]
  | 'usage_reported_as_zero'
  | 'usage_of_enclosing_generation'
  | 'usage_differs_from_children'

/** The usage of a generation, and of any other span that reports tokens, a cost or a model; null of the rest. */
export function usageOf(
  { type, facts, tokens, output }: ReadSpan,
  { resolved }: Pick<ReceivedSpan, 'resolved'>,
): { usage: UsageFacts | null; flags: SpanFlag[] } {
  const isGeneration = type === 'generation'
  const isReported = tokens.input !== undefined || tokens.output !== undefined || facts.cost !== undefined
  if (!isGeneration && !isReported && facts.model === undefined) return { usage: null, flags: [] }
  const isZero = tokens.input === 0 && tokens.output === 0 && isGeneration && output !== undefined
  const inputTokens = isZero ? null : (tokens.input ?? null)
  const outputTokens = isZero ? null : (tokens.output ?? (facts.isEmbedding ? 0 : null))
  const details = detailsOf(tokens)
  const flags: SpanFlag[] = [
    ...(isZero ? ['usage_reported_as_zero' as const] : []),
    // The rest cannot be said before the absent ones are counted.
    ...(inputTokens === null || outputTokens === null
      ? []
      : bucketsOf({ inputTokens, outputTokens, details }).flags),
  ]
  const usage: UsageFacts = {
    variables: isGeneration ? (facts.variables ?? null) : null,
    prompt: isGeneration ? (facts.prompt ?? null) : null,
    served: isGeneration ? (resolved.prompt ?? undefined) : undefined,
    model: facts.model ?? resolved.prompt?.model ?? null,
    provider: facts.provider ?? resolved.prompt?.provider ?? null,
    inputTokens,
    outputTokens,
    details,
    cost: facts.cost ?? null,
    countsAbsentTokens: isGeneration,
  }
  return { usage, flags }
}

/**
 * By the GenAI rule the input holds the cached tokens. A usage object of the maker of the model tells better,
 * if it tells of the cache and its input is the one reported.
 */
function detailsOf({ input, cacheRead, cacheWrite, reasoning, details }: ReadSpan['tokens']): unknown {
  const isOwnWord =
    field(details, 'cache_read_input_tokens') !== undefined && field(details, 'input_tokens') === input
  const isToldApart = cacheRead !== undefined || cacheWrite !== undefined || reasoning !== undefined
  if (isOwnWord || !isToldApart) return details
  return {
    ...(cacheRead === undefined ? {} : { cacheReadTokens: cacheRead }),
    ...(cacheWrite === undefined ? {} : { cacheWriteTokens: cacheWrite }),
    ...(reasoning === undefined ? {} : { reasoningTokens: reasoning }),
  }
}
