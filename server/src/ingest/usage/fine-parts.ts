/** Parts of a usage that few calls report, under the names of the model providers. Pure. */

/** Numbers of tokens, 0 where nothing is reported. `cacheWrites` is their sum over lifetimes. */
export interface FineParts {
  readonly audioInput: number
  readonly imageInput: number
  readonly cacheReadAudio: number
  readonly cacheReadImage: number
  readonly cacheWriteHour: number
  readonly cacheWrites: number
  readonly audioOutput: number
  readonly imageOutput: number
}

const noParts: FineParts = {
  audioInput: 0,
  imageInput: 0,
  cacheReadAudio: 0,
  cacheReadImage: 0,
  cacheWriteHour: 0,
  cacheWrites: 0,
  audioOutput: 0,
  imageOutput: 0,
}

/** The keys that lead to a number. */
type Path = readonly string[]

const pathsOf = (...texts: readonly string[]): readonly Path[] => texts.map((text) => text.split('.'))

/** Our names first, then those of OpenAI (chat, realtime, images), LangChain and Anthropic; the first match wins. */
const paths: Readonly<Record<Exclude<keyof FineParts, 'cacheWrites'>, readonly Path[]>> = {
  audioInput: pathsOf(
    'audioInputTokens',
    'prompt_tokens_details.audio_tokens',
    'input_tokens_details.audio_tokens',
    'input_token_details.audio_tokens',
    'input_token_details.audio',
  ),
  imageInput: pathsOf(
    'imageInputTokens',
    'prompt_tokens_details.image_tokens',
    'input_tokens_details.image_tokens',
    'input_token_details.image_tokens',
  ),
  cacheReadAudio: pathsOf(
    'cacheReadAudioTokens',
    'input_token_details.cached_tokens_details.audio_tokens',
    'input_tokens_details.cached_tokens_details.audio_tokens',
    'prompt_tokens_details.cached_tokens_details.audio_tokens',
  ),
  cacheReadImage: pathsOf(
    'cacheReadImageTokens',
    'input_token_details.cached_tokens_details.image_tokens',
    'input_tokens_details.cached_tokens_details.image_tokens',
  ),
  cacheWriteHour: pathsOf(
    'cacheWriteHourTokens',
    'cache_creation.ephemeral_1h_input_tokens',
    'input_token_details.ephemeral_1h_input_tokens',
    'prompt_tokens_details.cache_creation_token_details.ephemeral_1h_input_tokens',
  ),
  audioOutput: pathsOf(
    'audioOutputTokens',
    'completion_tokens_details.audio_tokens',
    'output_tokens_details.audio_tokens',
    'output_token_details.audio_tokens',
    'output_token_details.audio',
  ),
  imageOutput: pathsOf(
    'imageOutputTokens',
    'completion_tokens_details.image_tokens',
    'output_tokens_details.image_tokens',
    'output_token_details.image_tokens',
  ),
}

const fiveMinuteWrites = pathsOf(
  'cache_creation.ephemeral_5m_input_tokens',
  'input_token_details.ephemeral_5m_input_tokens',
  'prompt_tokens_details.cache_creation_token_details.ephemeral_5m_input_tokens',
)

/** Gemini's lists by modality; a page of a document is an image. */
const modalityLists = {
  input: ['promptTokensDetails', 'prompt_tokens_details', 'toolUsePromptTokensDetails'],
  cached: ['cacheTokensDetails', 'cache_tokens_details'],
  output: ['candidatesTokensDetails', 'candidates_tokens_details', 'responseTokensDetails'],
} as const

/** Reads a usage object as a model provider reports it. */
export function finePartsOf(usage: unknown): FineParts {
  if (typeof usage !== 'object' || usage === null) return noParts
  const first = (candidates: readonly Path[]): number => {
    for (const path of candidates) {
      const tokens = countAt(usage, path)
      if (tokens !== undefined) return tokens
    }
    return 0
  }
  const ofModality = (list: keyof typeof modalityLists, ...modalities: string[]): number =>
    modalityLists[list].reduce((sum, name) => sum + modalityTokens(field(usage, name), modalities), 0)
  const hourOfBedrock = lifetimeTokens(field(usage, 'cacheDetails'), '1h')
  const cacheWriteHour = first(paths.cacheWriteHour) || hourOfBedrock
  return {
    audioInput: first(paths.audioInput) || ofModality('input', 'AUDIO'),
    imageInput: first(paths.imageInput) || ofModality('input', 'IMAGE', 'DOCUMENT'),
    cacheReadAudio: first(paths.cacheReadAudio) || ofModality('cached', 'AUDIO'),
    cacheReadImage: first(paths.cacheReadImage) || ofModality('cached', 'IMAGE', 'DOCUMENT'),
    cacheWriteHour,
    cacheWrites:
      cacheWriteHour + (first(fiveMinuteWrites) || lifetimeTokens(field(usage, 'cacheDetails'), '5m')),
    audioOutput: first(paths.audioOutput) || ofModality('output', 'AUDIO'),
    imageOutput: first(paths.imageOutput) || ofModality('output', 'IMAGE'),
  }
}

/** The same parts under our own names, without zeros; for a usage that is assembled from several sources. */
export function namedFineParts(usage: unknown): Record<string, number> {
  const { cacheWrites: cacheWrite, ...parts } = finePartsOf(usage)
  return Object.fromEntries(
    Object.entries({ ...parts, cacheWrite }).flatMap(([name, tokens]) =>
      tokens > 0 ? [[`${name}Tokens`, tokens]] : [],
    ),
  )
}

function countAt(usage: unknown, path: Path): number | undefined {
  let value: unknown = usage
  for (const key of path) value = field(value, key)
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined
}

function modalityTokens(list: unknown, modalities: readonly string[]): number {
  if (!Array.isArray(list)) return 0
  return list
    .filter((entry) => modalities.includes(String(field(entry, 'modality'))))
    .reduce(
      (sum: number, entry) => sum + (countAt(entry, ['tokenCount']) ?? countAt(entry, ['token_count']) ?? 0),
      0,
    )
}

/** Bedrock's list of cache writes by lifetime. */
function lifetimeTokens(list: unknown, ttl: string): number {
  if (!Array.isArray(list)) return 0
  return list
    .filter((entry) => field(entry, 'ttl') === ttl)
    .reduce((sum: number, entry) => sum + (countAt(entry, ['inputTokens']) ?? 0), 0)
}

function field(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined
}
