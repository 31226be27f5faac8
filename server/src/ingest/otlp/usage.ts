/** Tokens and cost of a span for its row, with flags for odd numbers. */
import type { UsageFacts } from '../monitor/worker/log-facts.ts'
import { bucketsOf } from '../usage/buckets.ts'
import { namedFineParts } from '../usage/fine-parts.ts'
import { plainTier, serviceTierIn } from '../usage/service-tier.ts'
import type { SpanFacts } from './facts.ts'
import type { InterpretedSpan } from './interpret-span.ts'
import { field, isObject } from './json-value.ts'
import type { ReceivedSpan } from './span.ts'

/**
 * Remarks on the numbers of a log, besides the flags of `bucketsOf`:
 *
 * - `usage_reported_as_zero`: a model that responded reported zero tokens, so we counted them.
 * - `usage_of_enclosing_generation`: the span reports nothing; the generation around it is the same call.
 * - `cost_of_repeated_call`: the span reports no cost, but another span of the same call does.
 * - `usage_differs_from_children`: its tokens differ from the sum of those below it by more than 1 %.
 */
export type SpanFlag =
  | ReturnType<typeof bucketsOf>['flags'][number]
  | 'usage_reported_as_zero'
  | 'usage_of_enclosing_generation'
  | 'cost_of_repeated_call'
  | 'usage_differs_from_children'

/** The usage of a generation, or of any other span that reports tokens, a cost or a model; else null. */
export function usageOf(
  { type, facts, tokens, output }: InterpretedSpan,
  { references }: Pick<ReceivedSpan, 'references'>,
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
    // Further flags depend on absent tokens, which are counted later.
    ...(inputTokens === null || outputTokens === null
      ? []
      : bucketsOf({ inputTokens, outputTokens, details }).flags),
  ]
  const usage: UsageFacts = {
    variables: isGeneration ? (facts.variables ?? null) : null,
    prompt: isGeneration ? promptOf(facts, references) : null,
    servedPrompt: isGeneration ? (references.prompt ?? undefined) : undefined,
    ...modelOf(facts, references),
    inputTokens,
    outputTokens,
    details,
    serviceTier:
      facts.serviceTier === undefined
        ? serviceTierIn({ usage: tokens.details })
        : plainTier(facts.serviceTier),
    cost: facts.cost ?? null,
    // A failed call without a response has no known usage.
    countsAbsentTokens:
      isGeneration && facts.isSpeech !== true && !(facts.error !== undefined && output === undefined),
    tokensWithoutContent: null,
  }
  return { usage, flags }
}

/** The model of the call, else that of the prompt. The prompt's provider does not apply to another model. */
function modelOf(
  { model, provider, promptModel, promptProvider }: SpanFacts,
  { prompt }: ReceivedSpan['references'],
): { model: string | null; provider: string | null } {
  const prompted = {
    model: promptModel ?? (prompt?.model || null),
    provider: promptProvider ?? (prompt?.provider || null),
  }
  if (model === undefined) return { model: prompted.model, provider: provider ?? prompted.provider }
  return { model, provider: provider ?? (model === prompted.model ? prompted.provider : null) }
}

/**
 * In the GenAI conventions, the input includes the cached tokens. The provider's own usage object is more precise if it
 * reports the cache and its input equals the reported one.
 */
function detailsOf({
  input,
  cacheRead,
  cacheWrite,
  reasoning,
  parts,
  details,
}: InterpretedSpan['tokens']): unknown {
  const hasVendorUsage =
    field(details, 'cache_read_input_tokens') !== undefined && field(details, 'input_tokens') === input
  const hasParts = cacheRead !== undefined || cacheWrite !== undefined || reasoning !== undefined
  const hasFineParts = parts !== undefined && Object.keys(parts).length > 0
  if (hasVendorUsage || !hasParts)
    return hasFineParts ? { ...(isObject(details) ? details : {}), ...parts } : details
  return {
    ...namedFineParts(details),
    ...parts,
    ...(cacheRead === undefined ? {} : { cacheReadTokens: cacheRead }),
    ...(cacheWrite ? { cacheWriteTokens: cacheWrite } : {}),
    ...(reasoning === undefined ? {} : { reasoningTokens: reasoning }),
  }
}

/** A prompt that the span references by name gets the slug of the prompt that was resolved. */
function promptOf({ prompt }: SpanFacts, references: ReceivedSpan['references']): UsageFacts['prompt'] {
  if (prompt === undefined) return null
  return prompt.name === undefined ? prompt : { ...prompt, slug: references.prompt?.slug ?? prompt.slug }
}
