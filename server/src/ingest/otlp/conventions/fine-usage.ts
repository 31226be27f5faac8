/** Tokens of audio, images and long-lived cache writes, and the processing tier, from the attributes of all conventions. */
import type { AttributeReader } from '../attribute-reader.ts'
import type { SpanFacts } from '../facts.ts'
import { field, textOrUndefined } from '../json-value.ts'

/** Names that `finePartsOf` reads, with the attributes that contain them. */
const attributes: Readonly<Record<string, readonly string[]>> = {
  audioInputTokens: [
    'gen_ai.usage.audio.input_tokens',
    'gen_ai.usage.details.input_audio_tokens',
    'gen_ai.usage.input_audio_tokens',
    'gen_ai.usage.prompt_tokens_details.audio_tokens',
    'gen_ai.usage.details.audio_prompt_tokens',
    'llm.token_count.prompt_details.audio',
    'llm.usage.prompt_tokens_details.audio_tokens',
  ],
  audioOutputTokens: [
    'gen_ai.usage.audio.output_tokens',
    'gen_ai.usage.details.output_audio_tokens',
    'gen_ai.usage.output_audio_tokens',
    'gen_ai.usage.completion_tokens_details.audio_tokens',
    'gen_ai.usage.details.audio_candidates_tokens',
    'llm.token_count.completion_details.audio',
    'llm.usage.completion_tokens_details.audio_tokens',
  ],
  cacheReadAudioTokens: [
    'gen_ai.usage.audio.cache_read.input_tokens',
    'gen_ai.usage.details.cache_audio_read_tokens',
    'gen_ai.usage.details.audio_cache_tokens',
  ],
  cacheReadImageTokens: ['gen_ai.usage.image.cache_read.input_tokens'],
  cacheWriteHourTokens: [
    'gen_ai.usage.cache_creation.ephemeral_1h_input_tokens',
    'gen_ai.usage.cache_creation.ephemeral_1h.input_tokens',
    'gen_ai.usage.details.ephemeral_1h_input_tokens',
    'gen_ai.usage.details.cache_write_1h_tokens',
    'gen_ai.usage.cache_creation_ephemeral_1h_input_tokens',
    'anthropic.usage.cache_creation.ephemeral_1h_input_tokens',
  ],
  imageInputTokens: [
    'gen_ai.usage.image.input_tokens',
    'gen_ai.usage.details.input_image_tokens',
    'gen_ai.usage.details.image_prompt_tokens',
    'llm.token_count.prompt_details.image',
  ],
  imageOutputTokens: [
    'gen_ai.usage.image.output_tokens',
    'gen_ai.usage.details.output_image_tokens',
    'gen_ai.usage.details.image_candidates_tokens',
    'llm.token_count.completion_details.image',
  ],
}

const responseTiers = [
  'gen_ai.openai.response.service_tier',
  'openai.response.service_tier',
  'gen_ai.response.service_tier',
  'gen_ai.usage.service_tier',
  'aws.bedrock.service_tier',
  'anthropic.response.service_tier',
]
const requestTiers = [
  'gen_ai.openai.request.service_tier',
  'openai.request.service_tier',
  'gen_ai.request.service_tier',
  'anthropic.request.service_tier',
]

const partAttributes = Object.entries(attributes)

export function fineUsageOf(span: AttributeReader): Pick<SpanFacts, 'tokens' | 'serviceTier'> {
  const parts: Record<string, number> = {}
  for (const [name, keys] of partAttributes) {
    const tokens = span.number(...keys)
    if (tokens !== undefined && tokens > 0) parts[name] = tokens
  }
  const provider = span.record('ai.response.providerMetadata')
  const response =
    span.text(...responseTiers) ?? textOrUndefined(field(field(provider, 'openai'), 'serviceTier'))
  const request = span.text(...requestTiers)
  return {
    tokens: Object.keys(parts).length === 0 ? undefined : { parts },
    // The response names the tier in which the call was processed; the request only names the wanted one.
    serviceTier: response ?? request,
  }
}
