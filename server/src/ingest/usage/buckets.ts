import { type FineParts, finePartsOf } from './fine-parts.ts'

/**
 * Tokens by price. Model providers disagree on whether the reported input includes cached tokens, and whether the output
 * includes reasoning tokens. Here every token is in one bucket, and flags describe how the numbers were interpreted.
 */
export interface Buckets {
  readonly freshInput: number
  readonly cacheRead: number
  readonly cacheWrite: number
  readonly textOutput: number
  readonly reasoning: number
  /** Buckets that few calls use: absent means none. Audio and images have prices of their own. */
  readonly audioInput?: number
  readonly imageInput?: number
  readonly cacheReadAudio?: number
  readonly cacheReadImage?: number
  /** Written to a cache that lasts an hour, which costs more than a cache of five minutes. */
  readonly cacheWriteHour?: number
  readonly audioOutput?: number
  readonly imageOutput?: number
}

/** The buckets that few calls use. */
export type OtherBucket = Exclude<keyof Buckets, (typeof mainBuckets)[number]>
export const mainBuckets = ['freshInput', 'cacheRead', 'cacheWrite', 'textOutput', 'reasoning'] as const

// Safe: these are the names of the object.
const otherBuckets = Object.keys({
  audioInput: true,
  imageInput: true,
  cacheReadAudio: true,
  cacheReadImage: true,
  cacheWriteHour: true,
  audioOutput: true,
  imageOutput: true,
} satisfies Record<OtherBucket, true>) as OtherBucket[]

/** The buckets besides the main ones that hold tokens, as they are stored. */
export function otherBucketsOf(buckets: Buckets): Partial<Record<OtherBucket, number>> {
  const others: Partial<Record<OtherBucket, number>> = {}
  for (const bucket of otherBuckets) {
    const tokens = buckets[bucket]
    if (tokens !== undefined && tokens > 0) others[bucket] = tokens
  }
  return others
}

/**
 * - `cache_outside_input`: the input excluded the cached tokens, so all of it is fresh.
 * - `reasoning_outside_output`: the output excluded the reasoning, so all of it is text.
 * - `ignored_number`: a number was negative or not finite, and was ignored.
 */
export type UsageFlag = 'cache_outside_input' | 'reasoning_outside_output' | 'ignored_number'

/** The reported or counted tokens of one generation. `details` is a usage object as a model provider reports it. */
export interface ReportedUsage {
  readonly inputTokens: number | null
  readonly outputTokens: number | null
  readonly details?: unknown
}

/** The tokens of one generation, each in the one bucket that prices it. */
export function bucketsOf(usage: ReportedUsage): { buckets: Buckets; flags: UsageFlag[] } {
  const flags = new Set<UsageFlag>()
  const read = numbersOf(usage.details, flags)
  const input = amount(usage.inputTokens, flags)
  const output = amount(usage.outputTokens, flags)
  const fine = finePartsOf(usage.details)
  const cacheRead = read(paths.cacheRead) ?? 0
  // Some clients report the writes by lifetime, with a sum of 0.
  const cacheWrite = read(paths.cacheWrite) || fine.cacheWrites
  const reasoning = read(paths.reasoning) ?? 0

  const cached = cacheRead + cacheWrite
  const saysCacheIsOutside =
    read(paths.cacheOutside) !== undefined && read(paths.inputWithCache) === undefined
  const sameInput = (read(paths.inputWithoutCache) ?? input) === input
  const isCacheOutside = cached > 0 && ((saysCacheIsOutside && sameInput) || exceeds(cached, input))
  if (isCacheOutside) flags.add('cache_outside_input')

  const isReasoningOutside =
    reasoning > 0 &&
    (read(paths.outputWithoutReasoning) === output ||
      read(paths.total) === input + output + reasoning ||
      exceeds(reasoning, output))
  if (isReasoningOutside) flags.add('reasoning_outside_output')

  const buckets = {
    ...splitInput(isCacheOutside ? input : remainder(input, cached), { cacheRead, cacheWrite }, fine),
    ...splitOutput(isReasoningOutside ? output : remainder(output, reasoning), fine),
    reasoning,
  }
  return { buckets, flags: [...flags] }
}

/** Takes audio, images and long-lived cache writes out of the input; no part exceeds its whole. */
function splitInput(
  fresh: number,
  { cacheRead, cacheWrite }: Pick<Buckets, 'cacheRead' | 'cacheWrite'>,
  { audioInput, imageInput, cacheReadAudio, cacheReadImage, cacheWriteHour }: FineParts,
): Omit<Buckets, 'textOutput' | 'reasoning'> {
  const cachedAudio = Math.min(cacheReadAudio, cacheRead)
  const cachedImage = Math.min(cacheReadImage, cacheRead - cachedAudio)
  const audio = Math.min(remainder(audioInput, cachedAudio), fresh)
  const image = Math.min(remainder(imageInput, cachedImage), fresh - audio)
  const hour = Math.min(cacheWriteHour, cacheWrite)
  return {
    freshInput: fresh - audio - image,
    cacheRead: cacheRead - cachedAudio - cachedImage,
    cacheWrite: cacheWrite - hour,
    ...ifAny('audioInput', audio),
    ...ifAny('imageInput', image),
    ...ifAny('cacheReadAudio', cachedAudio),
    ...ifAny('cacheReadImage', cachedImage),
    ...ifAny('cacheWriteHour', hour),
  }
}

function splitOutput(
  output: number,
  { audioOutput, imageOutput }: FineParts,
): Pick<Buckets, 'textOutput' | 'audioOutput' | 'imageOutput'> {
  const audio = Math.min(audioOutput, output)
  const image = Math.min(imageOutput, output - audio)
  return {
    textOutput: output - audio - image,
    ...ifAny('audioOutput', audio),
    ...ifAny('imageOutput', image),
  }
}

const ifAny = (bucket: OtherBucket, tokens: number) => (tokens > 0 ? { [bucket]: tokens } : {})

/** Our names first, then those of OpenAI (chat, responses), LangChain, DeepSeek, the AI SDK, Anthropic, Bedrock and Gemini; the first match wins. */
const paths = {
  cacheRead: [
    'cacheReadTokens',
    'prompt_tokens_details.cached_tokens',
    'input_tokens_details.cached_tokens',
    'input_token_details.cache_read',
    'input_token_details.cached_tokens',
    'prompt_cache_hit_tokens',
    'inputTokenDetails.cacheReadTokens',
    'cachedInputTokens',
    'cache_read_input_tokens',
    'cacheReadInputTokens',
    'cachedContentTokenCount',
    'cached_content_token_count',
  ],
  cacheWrite: [
    'cacheWriteTokens',
    'prompt_tokens_details.cache_write_tokens',
    'input_tokens_details.cache_write_tokens',
    'input_token_details.cache_creation',
    'inputTokenDetails.cacheWriteTokens',
    'cache_creation_input_tokens',
    'cacheWriteInputTokens',
  ],
  reasoning: [
    'reasoningTokens',
    'completion_tokens_details.reasoning_tokens',
    'output_tokens_details.reasoning_tokens',
    'output_token_details.reasoning',
    'outputTokenDetails.reasoningTokens',
    'output_tokens_details.thinking_tokens',
    'thoughtsTokenCount',
    'thoughts_token_count',
  ],
  /** Names used by providers whose input excludes cached tokens ... */
  cacheOutside: [
    'cache_read_input_tokens',
    'cache_creation_input_tokens',
    'cacheReadInputTokens',
    'cacheWriteInputTokens',
  ],
  /** ... unless one of these is present: gateways include the cache in the input, as OpenAI does. */
  inputWithCache: [
    'cacheReadTokens',
    'cacheWriteTokens',
    'prompt_tokens',
    'input_tokens_details.cached_tokens',
    'input_token_details.cache_read',
    'input_token_details.cached_tokens',
    'inputTokenDetails.cacheReadTokens',
    'inputTokenDetails.cacheWriteTokens',
  ],
  /** The provider's own input: a client that reports another number added the cache to it. */
  inputWithoutCache: ['input_tokens', 'inputTokens'],
  total: ['total_tokens', 'totalTokens'],
  /** Gemini's output without its thoughts. */
  outputWithoutReasoning: ['candidatesTokenCount', 'candidates_token_count'],
} as const

function numbersOf(details: unknown, flags: Set<UsageFlag>) {
  if (typeof details !== 'object' || details === null) return () => undefined
  return (names: readonly string[]): number | undefined => {
    for (const name of names) {
      const [key = '', inner] = name.split('.')
      const outer = field(details, key)
      const value = inner === undefined ? outer : field(outer, inner)
      if (typeof value !== 'number') continue
      if (isAmount(value)) return value
      flags.add('ignored_number')
    }
    return undefined
  }
}

function field(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined
}

function amount(value: number | null, flags: Set<UsageFlag>): number {
  if (value === null || isAmount(value)) return value ?? 0
  flags.add('ignored_number')
  return 0
}

function isAmount(value: number): boolean {
  return Number.isFinite(value) && value >= 0
}

/** Whether a part exceeds the whole by more than a rounding error, such as that of 0.1 + 0.2. */
function exceeds(part: number, whole: number): boolean {
  return part - whole > whole * 1e-9
}

function remainder(whole: number, part: number): number {
  return Math.max(0, whole - part)
}
